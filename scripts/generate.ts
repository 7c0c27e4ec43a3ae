/**
 * Writes every file that is derived from others, or checks that none is out of date:
 *
 *   npm run generate
 *   npm run generate -- --check
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LANDED_MIGRATIONS, landedMigrations, MigrationOutOfOrder } from "./generators/landed-migrations.ts"
import { withRoutes } from "./generators/ledger-routes.ts"
import { notice } from "./generators/notice.ts"
import { openApiDocument } from "./generators/openapi.ts"
import { resourceNames } from "./generators/resource-names.ts"

/** A derived file and how to derive it. `current` is what is on disk, empty when there is nothing. */
export interface Generator {
  /** Path from the root of the repository. */
  readonly file: string
  readonly content: (current: string) => Promise<string>
}

const root = join(import.meta.dirname, "..")

const generators: ReadonlyArray<Generator> = [
  { file: "docs/openapi.json", content: openApiDocument },
  { file: "NOTICE.md", content: async () => notice() },
  { file: "packages/ledger/README.md", content: async (current) => withRoutes(current) },
  { file: "packages/cli/src/resources/names.ts", content: resourceNames },
  { file: LANDED_MIGRATIONS, content: landedMigrations }
]

/** The files whose content on disk is not what their generator gives. Writes them unless `check` is set. */
export const generate = async (folder: string, list: ReadonlyArray<Generator>, check: boolean): Promise<ReadonlyArray<string>> => {
  const stale: Array<string> = []
  for (const { file, content } of list) {
    const path = join(folder, file)
    const current = await readFile(path, "utf8").catch(() => "")
    const wanted = await content(current)
    if (wanted === current) continue
    stale.push(file)
    if (!check) await writeFile(path, wanted)
  }
  return stale
}

/** Prints what keeps a file from being derived, where somebody has to mend it. */
const refused = (error: unknown): undefined => {
  if (!(error instanceof MigrationOutOfOrder)) throw error
  console.error(error.message)
}

if (import.meta.main) {
  const check = process.argv.includes("--check")
  const stale = await generate(root, generators, check).catch(refused)
  if (stale === undefined) process.exitCode = 1
  else if (!check) console.log(stale.length === 0 ? "every generated file is up to date" : `written: ${stale.join(", ")}`)
  else if (stale.length > 0) {
    console.error(`out of date: ${stale.join(", ")}. Run npm run generate and commit the result.`)
    process.exitCode = 1
  } else console.log("every generated file is up to date")
}
