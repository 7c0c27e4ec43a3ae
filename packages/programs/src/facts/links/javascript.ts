/** Which file an import of JavaScript or TypeScript means: what `enhanced-resolve` answers over the paths of the repository. */
import { parseJson } from "@svc/kernel/values/json"
import enhanced from "enhanced-resolve"
import { posix } from "node:path"
import type { Fact } from "../model.ts"
import { byText } from "../order.ts"
import type { Resolvable, Resolve } from "./resolvable.ts"

const { ResolverFactory } = enhanced
type Resolver = ReturnType<typeof ResolverFactory.createResolver>

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte"]
const WRITTEN_AS = {
  ".js": [".ts", ".tsx", ".js", ".jsx"],
  ".jsx": [".tsx", ".jsx"],
  ".mjs": [".mts", ".mjs"],
  ".cjs": [".cts", ".cjs"]
}

const MODULES = "/node_modules"

/** One for all: the resolver asks for many paths that are not there, and an error of its own for each takes most of its time. */
const missing = Object.assign(new Error("no such file in the repository"), { code: "ENOENT" })

interface Package {
  readonly name: string
  /** From the root, beginning with `/`. */
  readonly folder: string
}

const nameIn = (json: string): string | undefined => {
  const value = parseJson(json)
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" ? value.name : undefined
}

const packagesOf = (resolutions: ReadonlyArray<Fact<"resolution">>): ReadonlyArray<Package> =>
  resolutions.filter(({ subject }) => posix.basename(subject) === "package.json").flatMap(({ subject, value }) => {
    const name = nameIn(value.json)
    return name === undefined ? [] : [{ name, folder: posix.join("/", posix.dirname(subject)) }]
  })

/** Every folder above the paths. */
const foldersOf = (paths: Iterable<string>): ReadonlySet<string> => {
  const folders = new Set(["/"])
  for (const path of paths) for (let at = posix.dirname(path); !folders.has(at); at = posix.dirname(at)) folders.add(at)
  return folders
}

/** The repository as a file system, in which each of its packages is installed. */
const fileSystemOf = (paths: ReadonlyArray<string>, packages: ReadonlyArray<Package>, texts: ReadonlyMap<string, string>) => {
  const files = new Set(paths.map((path) => `/${path}`))
  const folders = new Set([...foldersOf(files), MODULES, ...packages.map(({ name }) => posix.dirname(`${MODULES}/${name}`))])
  const installed = new Map(packages.map(({ folder, name }) => [name, folder]))
  /** Where a path below `/node_modules` really is. */
  const real = (path: string): string => {
    const [, name = "", rest = ""] = /^\/node_modules\/((?:@[^/]+\/)?[^/]+)([^]*)$/u.exec(path) ?? []
    const folder = installed.get(name)
    return folder === undefined ? path : posix.join(folder, rest)
  }
  const statSync = (path: string) => {
    const at = real(path)
    const isFile = files.has(at)
    if (!isFile && !folders.has(at)) throw missing
    return { isFile: () => isFile, isDirectory: () => !isFile, isSymbolicLink: () => false }
  }
  const readFileSync = (path: string): Buffer => {
    const text = texts.get(real(path))
    if (text === undefined) throw missing
    return Buffer.from(text)
  }
  const readlinkSync = (path: string): string => {
    throw Object.assign(new Error(`no link ${path}`), { code: "EINVAL" })
  }
  return { real, fileSystem: { statSync, readFileSync, readlinkSync, readdirSync: (): Array<string> => [] } }
}

/** Folders of configurations of TypeScript, the deepest first. */
const configured = (resolutions: ReadonlyArray<Fact<"resolution">>): ReadonlyArray<readonly [folder: string, file: string]> =>
  resolutions.filter(({ subject, value }) =>
    /^[tj]sconfig\.json$/u.test(posix.basename(subject)) && /"paths"|"baseUrl"|"extends"/u.test(value.json)
  )
    .map(({ subject }) => [posix.join("/", posix.dirname(subject)), `/${subject}`] as const)
    .toSorted(([one], [other]) => other.length - one.length || byText(one, other))

export const javascript = ({ paths, resolutions }: Resolvable): Resolve => {
  const packages = packagesOf(resolutions)
  const texts = new Map(resolutions.map(({ subject, value }) => [`/${subject}`, value.json]))
  const { fileSystem, real } = fileSystemOf(paths, packages, texts)
  const known = new Set(paths)
  const configurations = configured(resolutions)
  const resolvers = new Map<string, Resolver>()
  const resolverFor = (configFile: string | undefined): Resolver => {
    const kept = resolvers.get(configFile ?? "")
    if (kept !== undefined) return kept
    const resolver = ResolverFactory.createResolver({
      fileSystem: fileSystem as unknown as NonNullable<Parameters<typeof ResolverFactory.createResolver>[0]>["fileSystem"],
      useSyncFileSystemCalls: true,
      symlinks: false,
      extensions: EXTENSIONS,
      extensionAlias: WRITTEN_AS,
      conditionNames: ["import", "require", "node", "types", "default"],
      mainFields: ["module", "main", "types"],
      modules: [MODULES],
      ...(configFile === undefined ? {} : { tsconfig: { configFile, references: "auto" as const } })
    })
    resolvers.set(configFile ?? "", resolver)
    return resolver
  }
  const ask = (configFile: string | undefined, folder: string, target: string): string | undefined => {
    try {
      const found = resolverFor(configFile).resolveSync({}, folder, target)
      return found === false ? undefined : real(found).slice(1)
    } catch {
      return undefined
    }
  }
  const owners = new Map<string, Package | undefined>()
  /** The package of the repository that a target names. */
  const ownerOf = (target: string): Package | undefined => {
    if (!owners.has(target)) owners.set(target, packages.find(({ name }) => target === name || target.startsWith(`${name}/`)))
    return owners.get(target)
  }
  /** A package of the repository that is entered by what its build makes: its sources. */
  const ofSources = (target: string): string | undefined => {
    const own = ownerOf(target)
    if (own === undefined) return undefined
    const rest = target.slice(own.name.length)
    return ask(undefined, "/", posix.join(own.folder, "src", rest)) ??
      ask(undefined, "/", posix.join(own.folder, rest === "" ? "index" : rest))
  }
  const answers = new Map<string, string | undefined>()
  return ({ evidence: [{ path }], subject }) => {
    const folder = posix.dirname(`/${path}`)
    if (subject.startsWith(".")) {
      const exact = posix.join(folder, subject).slice(1)
      if (known.has(exact)) return [exact]
    }
    const config = configurations.find(([under]) => under === "/" || folder === under || folder.startsWith(`${under}/`))?.[1]
    const isOutside = !/^[.#/]/u.test(subject) && config === undefined && ownerOf(subject) === undefined
    if (isOutside || subject.startsWith("node:")) return []
    // A package means the same in each folder that has the same configuration.
    const key = `${/^[.#]/u.test(subject) ? folder : config ?? ""} ${subject}`
    if (!answers.has(key)) answers.set(key, ask(config, folder, subject) ?? ofSources(subject))
    const answer = answers.get(key)
    return answer !== undefined && known.has(answer) ? [answer] : []
  }
}
