/** Which paths the `.gitignore` files of a repository leave out; each counts below its own folder, and the deepest first. */
import ignore, { type Ignore } from "ignore"
import { posix } from "node:path"

/** Each wildcard multiplies the time that a pattern may take; a line with more of them is left out. */
const MOST_WILDCARDS = 3
const LONGEST_LINE = 500

const bounded = (text: string): string =>
  text.split(/\r?\n/u).filter((line) => line.length <= LONGEST_LINE && line.split(/\*+/u).length <= MOST_WILDCARDS + 1).join("\n")

/** Folders of the path, the deepest first; `""` is the root. */
const foldersOf = (path: string): ReadonlyArray<string> => {
  const folders: Array<string> = []
  for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) folders.push(folder)
  return [...folders, ""]
}

/** `texts` are the `.gitignore` files by path. */
export const ignoredBy = (texts: ReadonlyMap<string, string>): (path: string) => boolean => {
  const rules = new Map<string, Ignore>(
    Array.from(texts, ([path, text]) => [path.slice(0, -".gitignore".length).replace(/\/$/u, ""), ignore().add(bounded(text))])
  )
  const decide = (path: string): boolean => {
    for (const folder of foldersOf(path.replace(/\/$/u, ""))) {
      const verdict = rules.get(folder)?.test(folder === "" ? path : path.slice(folder.length + 1))
      if (verdict?.ignored === true) return true
      if (verdict?.unignored === true) return false
    }
    return false
  }
  const folders = new Map<string, boolean>()
  const isFolderIgnored = (folder: string): boolean => {
    const known = folders.get(folder)
    if (known !== undefined) return known
    const ignored = folder !== "." && (isFolderIgnored(posix.dirname(folder)) || decide(`${folder}/`))
    folders.set(folder, ignored)
    return ignored
  }
  // What lies in an ignored folder stays ignored, whatever a deeper file says.
  return (path) => isFolderIgnored(posix.dirname(path)) || decide(path)
}
