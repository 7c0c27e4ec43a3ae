/** A repository for tests: its files as texts, and what the readers find in them. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { pack } from "../confined/pack.ts"
import { engine } from "../confined/read.ts"
import type { FileFacts } from "../facts/model.ts"
import { makeProject, type Project } from "../facts/project.ts"
import { factsFromText } from "../facts/stored.ts"
import type { Texts } from "./measures.ts"

/** The facts that the engine finds in the files. */
export const factsIn = async (texts: Texts): Promise<ReadonlyArray<FileFacts>> => {
  const { files } = await engine(pack(Object.entries(texts).map(([name, text]) => ({ name, bytes: deflateRawSync(text) }))))
  return files.map(({ facts, path }) => factsFromText(path, inflateRawSync(Buffer.from(facts, "base64")).toString()))
}

export const projectIn = async (texts: Texts, project_name = "example"): Promise<Project> =>
  makeProject({ project_name }, await factsIn(texts))

const TEXT = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|toml|css|html|sql|sh|py|go|rs)$|(?:^|\/)(?:LICENSE|Dockerfile|Makefile)$/u

/** The texts of a folder's files, such as an installed package; not those of packages that it has installed itself. */
export const textsIn = (folder: string): Texts =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(folder.length).replace(/^\/+/u, "")
      const skipped = !entry.isFile() || !TEXT.test(name) || /(?:^|\/)(?:node_modules|\.git|dist)\//u.test(name)
      return skipped ? [] : [[name, readFileSync(path, "utf8")] as const]
    })
  )

/** The texts of an installed package, or of a folder in it. */
export const installed = (name: string): Texts => textsIn(join(import.meta.dirname, "../../../../node_modules", name))
