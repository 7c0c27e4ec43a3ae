/**
 * Diagrams of D2, compiled by its own compiler. The package (MPL-2.0) has 60 MB, so it is no development dependency: the proof fetches it,
 * pinned by hash, as it does the packages that are analysed.
 */
import type { MadeArtifact } from "@svc/programs/confined/model"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { tarballOf } from "./packages.ts"

const COMPILER = [
  "@terrastruct/d2",
  "0.1.33",
  "sha512-eK5hyfGIJFolC7sUsiKvWdY9xGFctTe3d+PSijo09IYDso8psztC+A4SammizXtlwYZpnnW0AtDjfBYauceSeA=="
] as const

interface Compiler {
  /** Where it runs, once a diagram was compiled: it keeps the process alive. */
  readonly worker: { readonly terminate: () => Promise<unknown> } | undefined
  readonly compile: (text: string) => Promise<{ readonly diagram: { readonly shapes: ReadonlyArray<unknown> } }>
}

/** Undefined where the registry cannot be reached. */
const compiler = (): Compiler | undefined => {
  const tarball = tarballOf(...COMPILER)
  if (tarball === undefined) return undefined
  const folder = join(dirname(tarball), "d2")
  const entry = join(folder, "package/dist/node-esm/index.js")
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true })
    execFileSync("tar", ["xzf", tarball, "-C", folder, "package/package.json", "package/dist/node-esm"])
  }
  const { D2 }: { readonly D2: new() => Compiler } = createRequire(import.meta.url)(entry)
  return new D2()
}

/** The diagrams that do not compile, and why; undefined where there is no compiler. */
export const brokenDiagrams = async (
  diagrams: ReadonlyArray<{ readonly name: string; readonly artifacts: ReadonlyArray<MadeArtifact> }>
): Promise<ReadonlyArray<string> | undefined> => {
  const d2 = compiler()
  if (d2 === undefined) return undefined
  const broken: Array<string> = []
  for (const { artifacts, name } of diagrams) {
    for (const { path, text } of artifacts.filter((artifact) => artifact.path.endsWith(".d2"))) {
      try {
        const { diagram } = await d2.compile(text)
        if (diagram.shapes.length === 0) broken.push(`${name}: ${path} draws nothing`)
      } catch (error) {
        broken.push(`${name}: ${path}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`)
      }
    }
  }
  await d2.worker?.terminate()
  return broken
}
