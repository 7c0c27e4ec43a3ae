/** Routers that are mounted in another file: their routes get the path that they are mounted below. */
import type { Fact } from "./model.ts"

export const joined = (prefix: string, path: string): string => {
  const whole = `${prefix.replace(/\/$/u, "")}/${path.replace(/^\//u, "")}`
  return whole.length > 1 ? whole.replace(/\/$/u, "") : whole
}

/** Routers within routers. More are a circle. */
const MOST_DEPTH = 4

export interface Mounted {
  readonly routes: ReadonlyArray<Fact<"route">>
  readonly mounts: ReadonlyArray<Fact<"mount">>
  readonly imports: ReadonlyArray<Fact<"import">>
  readonly target: (fact: Fact<"import">) => string | undefined
}

interface Prefix {
  readonly path: string
  readonly mounts: ReadonlyArray<Fact<"mount">>
}

/** `mails.router` comes with the import of `mails`. */
const importOf = (imports: ReadonlyArray<Fact<"import">>, router: string) =>
  imports.find(({ value: { names } }) => names.includes(router) || names.includes(router.split(".")[0] ?? router))

/** Routes as a client asks for them: once for each place where their file is mounted. */
export const mountedRoutes = ({ imports, mounts, routes, target }: Mounted): ReadonlyArray<Fact<"route">> => {
  if (mounts.length === 0) return routes
  const importsByPath = Map.groupBy(imports, ({ evidence: [{ path }] }) => path)
  const mountsByTarget = Map.groupBy(mounts, (mount) => {
    const { path } = mount.evidence[0]
    const found = importOf(importsByPath.get(path) ?? [], mount.subject)
    return found === undefined ? undefined : target(found)
  })
  const prefixesOf = (path: string, depth = 0): ReadonlyArray<Prefix> => {
    const above = depth < MOST_DEPTH ? mountsByTarget.get(path) ?? [] : []
    return above.flatMap((mount) => {
      const outer = prefixesOf(mount.evidence[0].path, depth + 1)
      const inner = { path: mount.value.prefix, mounts: [mount] }
      return outer.length === 0
        ? [inner]
        : outer.map((prefix) => ({ path: joined(prefix.path, inner.path), mounts: [...prefix.mounts, mount] }))
    })
  }
  return routes.flatMap((route) => {
    const prefixes = prefixesOf(route.evidence[0].path)
    return prefixes.length === 0 ? [route] : prefixes.map((prefix): Fact<"route"> => {
      const path = joined(prefix.path, route.value.path)
      const places = prefix.mounts.flatMap(({ evidence }) => evidence)
      return {
        ...route,
        subject: `${route.value.method} ${path}`,
        value: { ...route.value, path },
        evidence: [...route.evidence, ...places]
      }
    })
  })
}
