/**
 * Writes the code in its one layout, or says which files are not in it:
 *
 *   npm run format
 *   npm run format -- --check
 */
import { createFromBuffer, type GlobalConfiguration } from "@dprint/formatter"
import { getPath } from "@dprint/typescript"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"
import { COLUMNS } from "./form/measure.ts"

const root = join(import.meta.dirname, "..")

const layout: GlobalConfiguration = { lineWidth: COLUMNS, indentWidth: 2, useTabs: false, newLineKind: "lf" }

/** As Effect's own sources are laid out. */
const typescript = {
  semiColons: "asi",
  quoteStyle: "alwaysDouble",
  trailingCommas: "never",
  operatorPosition: "maintain",
  "arrowFunction.useParentheses": "force"
}

const SOURCES = ["packages/**/*.{ts,mjs}", "scripts/**/*.{ts,mjs}", "*.ts"]
const isForeign = (path: string): boolean => path.split(sep).includes("node_modules")

const formatter = createFromBuffer(readFileSync(getPath()))
formatter.setConfig(layout, typescript)

/** The text in its layout. A long template may need a second pass until nothing moves. */
export const formatted = (path: string, text: string): string => {
  const once = formatter.formatText({ filePath: path, fileText: text })
  return once === text ? once : formatted(path, once)
}

/** The files that are not in their layout. Writes them unless `check` is set. */
export const format = (folder: string, check: boolean): ReadonlyArray<string> =>
  globSync(SOURCES, { cwd: folder, exclude: isForeign }).sort().filter((path) => {
    const file = join(folder, path)
    const text = readFileSync(file, "utf8")
    const wanted = formatted(path, text)
    if (wanted !== text && !check) writeFileSync(file, wanted)
    return wanted !== text
  })

if (import.meta.main) {
  const check = process.argv.includes("--check")
  const others = format(root, check)
  if (!check) console.log(others.length === 0 ? "every file has its layout" : `written: ${others.length} files`)
  else if (others.length > 0) {
    console.error(`not in their layout: ${others.join(", ")}. Run npm run format and commit the result.`)
    process.exitCode = 1
  } else console.log("every file has its layout")
}
