/** Which files an import means in languages whose packages are folders: by the rules of each language, over the paths of the repository. */
import { posix } from "node:path"
import { byText } from "../order.ts"
import type { Resolvable, Resolve } from "./resolvable.ts"

const join = (folder: string, ...parts: ReadonlyArray<string>): string => posix.join(folder === "." ? "" : folder, ...parts)

/** Folders from that of a file up to the root. */
const above = (path: string): ReadonlyArray<string> => {
  const folders: Array<string> = []
  for (let at = posix.dirname(path);; at = posix.dirname(at)) {
    folders.push(at)
    if (at === ".") return folders
  }
}

const firstKnown = (known: ReadonlySet<string>, candidates: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = candidates.find((path) => known.has(path))
  return found === undefined ? [] : [found]
}

/** Modules and packages; what is imported from a package may be a module of it. */
export const python = ({ paths }: Resolvable): Resolve => {
  const known = new Set(paths)
  return ({ evidence: [{ path }], subject, value: { names } }) => {
    const dots = /^\.*/u.exec(subject)?.[0].length ?? 0
    const module = subject.slice(dots).replaceAll(".", "/")
    const folders = above(path)
    const roots = dots > 0 ? [folders[dots - 1] ?? "."] : [...folders, "src"]
    return roots.map((root) => {
      const base = join(root, module)
      const modules = names.flatMap((name) => firstKnown(known, [`${base}/${name}.py`, `${base}/${name}/__init__.py`]))
      return [...modules, ...firstKnown(known, [`${base}.py`, `${base}.pyi`, `${base}/__init__.py`])]
    }).find((found) => found.length > 0) ?? []
  }
}

/** A package is a folder below the module that `go.mod` names. */
export const go = ({ manifests, paths }: Resolvable): Resolve => {
  const modules = manifests.filter(({ value }) => value.ecosystem === "go")
  const byFolder = Map.groupBy(paths.filter((path) => path.endsWith(".go") && !path.endsWith("_test.go")), (path) => posix.dirname(path))
  return ({ subject }) => {
    const module = modules.find((one) => subject === one.subject || subject.startsWith(`${one.subject}/`))
    if (module === undefined) return []
    return byFolder.get(join(posix.dirname(module.evidence[0].path), subject.slice(module.subject.length + 1)) || ".") ?? []
  }
}

/** `crate::a::B`, `super::a`, another crate of the workspace, and `mod a;`, which the reader writes as `self::a`. */
export const rust = ({ manifests, paths }: Resolvable): Resolve => {
  const known = new Set(paths)
  const crates = manifests.filter(({ value }) => value.ecosystem === "cargo")
    .map(({ evidence: [{ path }], subject }) => ({ name: subject.replaceAll("-", "_"), root: join(posix.dirname(path), "src") }))
  const isRoot = (path: string) => /(?:^|\/)(?:lib|main|mod)\.rs$/u.test(path)
  /** The file of the deepest part that is a module: the last parts name what is in it. */
  const moduleAt = (root: string, parts: ReadonlyArray<string>): ReadonlyArray<string> => {
    for (let most = parts.length; most > 0; most--) {
      const base = join(root, ...parts.slice(0, most))
      const found = firstKnown(known, [`${base}.rs`, `${base}/mod.rs`])
      if (found.length > 0) return found
    }
    return firstKnown(known, [join(root, "lib.rs"), join(root, "main.rs"), join(root, "mod.rs"), `${root}.rs`])
  }
  return ({ evidence: [{ path }], subject }) => {
    const [head = "", ...rest] = subject.split("::")
    const folder = posix.dirname(path)
    const own = isRoot(path) ? folder : path.replace(/\.rs$/u, "")
    if (head === "crate") {
      const root = above(path).find((at) => known.has(join(at, "lib.rs")) || known.has(join(at, "main.rs")))
      return root === undefined ? [] : moduleAt(root, rest)
    }
    if (head === "self") return moduleAt(own, rest)
    if (head === "super") {
      const ups = rest.findIndex((part) => part !== "super")
      const start = Array.from({ length: ups === -1 ? rest.length : ups }).reduce<string>((at) => posix.dirname(at), posix.dirname(own))
      return moduleAt(start, ups === -1 ? [] : rest.slice(ups))
    }
    const crate = crates.find(({ name }) => name === head)
    return crate === undefined
      ? moduleAt(own, [head, ...rest]).filter((found) => found.startsWith(join(own, head)))
      : moduleAt(crate.root, rest)
  }
}

/** Files by the end of their path: the first folders of a package's name are rarely in the repository's paths. */
const byEnd = (paths: ReadonlyArray<string>, extension: RegExp) => {
  const byName = Map.groupBy(paths.filter((path) => extension.test(path)), (path) => posix.basename(path).replace(extension, ""))
  return (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const candidates = byName.get(parts.at(-1) ?? "") ?? []
    for (let from = 0; from < parts.length - 1; from++) {
      const end = parts.slice(from).join("/")
      const found = candidates.filter((path) => path.replace(extension, "") === end || path.replace(extension, "").endsWith(`/${end}`))
      if (found.length > 0) return found.length === 1 ? found : []
    }
    return []
  }
}

/** A class is a file in the folder of its package; `*` means the folder. */
export const java = ({ paths }: Resolvable): Resolve => {
  const extension = /\.(?:java|kt)$/u
  const find = byEnd(paths, extension)
  const byFolder = Map.groupBy(paths.filter((path) => extension.test(path)), (path) => posix.dirname(path))
  const folders = [...byFolder.keys()].toSorted(byText)
  return ({ subject }) => {
    const parts = subject.split(".")
    if (parts.at(-1) === "*") {
      const end = parts.slice(0, -1).join("/")
      const folder = folders.find((one) => one === end || one.endsWith(`/${end}`))
      return folder === undefined ? [] : byFolder.get(folder) ?? []
    }
    const whole = find(parts)
    // A static import names a member of the class.
    return whole.length > 0 ? whole : find(parts.slice(0, -1))
  }
}

export const php = ({ paths }: Resolvable): Resolve => {
  const find = byEnd(paths, /\.php$/u)
  const known = new Set(paths)
  return ({ evidence: [{ path }], subject }) =>
    /[./]/u.test(subject) ? firstKnown(known, [join(posix.dirname(path), subject)]) : find(subject.replace(/^\\/u, "").split("\\"))
}

/** By paths: from the file's folder, then from the folders where such files usually are. */
const byPath = (extensions: ReadonlyArray<string>, folders: ReadonlyArray<string>) => ({ paths }: Resolvable): Resolve => {
  const known = new Set(paths)
  const byName = Map.groupBy(paths, (path) => posix.basename(path))
  return ({ evidence: [{ path }], subject }) => {
    const plain = subject.replace(/^package:[^/]+\//u, "")
    const roots = [posix.dirname(path), ".", ...above(path).flatMap((at) => folders.map((folder) => join(at, folder)))]
    const found = firstKnown(known, roots.flatMap((root) => ["", ...extensions].map((extension) => `${join(root, plain)}${extension}`)))
    if (found.length > 0 || !plain.includes(".")) return found
    const named = (byName.get(posix.basename(plain)) ?? []).filter((one) => one.endsWith(`/${plain}`))
    return named.length === 1 ? named : []
  }
}

export const c = byPath([], ["include", "src", "inc", "lib"])
export const ruby = byPath([".rb"], ["lib", "app", "test", "spec"])
export const solidity = byPath([], ["contracts", "src", "lib"])
export const dart = byPath([], ["lib"])
export const shell = byPath([".sh"], [])
