/** redundancy-sweep.mjs: a script without dependencies that finds what the repository has twice, and what nothing uses. */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../skills/scripts.ts"
import { entriesOf, unimportedFiles, unusedExports } from "./redundancy.ts"
import { SWEEP } from "./sweep-script.ts"

const MOST = 200

const text = (value: string): string => JSON.stringify(value)

const constantOf = (name: string, why: string, items: ReadonlyArray<CodeLine>): ReadonlyArray<CodeLine> => [
  { text: "" },
  { text: `/** ${why} */` },
  ...items.length === 0 ? [{ text: `const ${name} = []` }] : [{ text: `const ${name} = [` }, ...items, { text: "]" }]
]

const packagesOf = (project: Project): ReadonlyArray<CodeLine> => {
  const manifests = project.facts("manifest").filter(({ value: { ecosystem } }) => ecosystem === "npm").slice(0, MOST)
  const items = manifests.map((manifest) => citedLine("//", `  [${text(manifest.subject)}, ${text(folderOf(manifest))}],`, [manifest]))
  return [...constantOf("MANIFESTS", "Packages of this repository, and their folders.", items), {
    text: "const PACKAGES = Object.fromEntries(MANIFESTS)"
  }]
}

const SKIPPED = ["node_modules", "dist", "build", "out", "coverage", "vendor", ".next", ".node", ".cache"]

/** JavaScript and TypeScript: what the script reads. */
const LANGUAGES = ["JavaScript", "TypeScript", "Vue", "Svelte"]

export const redundancySweep = (project: Project): Artifact => {
  if (project.searched({ languages: LANGUAGES }) === 0) {
    return codeFile([
      ...comments("//", [absence("No JavaScript or TypeScript, which is what a sweep reads.", project.searched())]),
      { text: `console.log("nothing to sweep")` }
    ])
  }
  const entries = entriesOf(project).slice(0, MOST).map(({ fact, path }) => citedLine("//", `  ${text(path)},`, [fact]))
  const files = unimportedFiles(project).map((file) => citedLine("//", `  ${text(`unreached-file ${file.evidence[0].path}`)},`, [file]))
  const exports = unusedExports(project).map((symbol) =>
    citedLine("//", `  ${text(`unused-export ${symbol.evidence[0].path} ${symbol.subject}`)},`, [symbol])
  )
  return codeFile([
    { text: "#!/usr/bin/env node" },
    {
      text: "// node redundancy-sweep.mjs [--new] [folder]: repeated bodies, exports and files without use. --new leaves out KNOWN."
    },
    { text: `import { readdirSync, readFileSync } from "node:fs"` },
    { text: `import { posix } from "node:path"` },
    ...packagesOf(project),
    ...constantOf("ENTRIES", "Files that are reached from outside.", entries),
    ...constantOf("KNOWN", "What nothing used when this was written.", [...files, ...exports].slice(0, MOST)),
    { text: `const SKIPPED = new Set(${JSON.stringify(SKIPPED)})` },
    ...SWEEP.trimEnd().split("\n").map((line) => ({ text: line }))
  ])
}
