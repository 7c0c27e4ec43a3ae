/** What each resource owes: its table in the log, a cause of each of its events, and a check of its rows against the ledger. */
import { assert, describe, it } from "@effect/vitest"
import { triggers } from "@svc/cli/commands/trigger"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { missingOf, type ResourceSources, withoutBooks } from "./owed.ts"

const packages = join(import.meta.dirname, "..", "..", "..")
const read = (folder: string, files: string | ReadonlyArray<string>): string =>
  globSync(files, { cwd: join(packages, folder) }).filter((path) => !path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(packages, folder, path), "utf8")).join("\n")

const isCatalog = (value: unknown): value is { readonly types: ReadonlyArray<string> } =>
  typeof value === "object" && value !== null && "types" in value && "draft" in value && Array.isArray(value.types)

const sourcesOf = async (folder: string): Promise<ResourceSources> => {
  const model = join(packages, folder, "model.ts")
  const exported: Readonly<Record<string, unknown>> = existsSync(model) ? await import(model) : {}
  return {
    folder: folder.replace("/src/", "/"),
    code: read(folder, "**/*.ts"),
    resource: read(folder, ["resource.ts", "resource/*.ts"]),
    events: Object.values(exported).filter(isCatalog).flatMap(({ types }) => types)
  }
}

describe("what a resource owes", () => {
  it("is brought by every resource of the service", async () => {
    const found = globSync("*/src/*/{,resource/}resource.ts", { cwd: packages })
    const folders = found.map((path) => dirname(path).replace(/\/resource$/u, "")).sort()
    const resources = await Promise.all(folders.map(sourcesOf))
    assert.isAtLeast(resources.filter(({ events }) => events.length > 0).length, 10)
    assert.deepStrictEqual(missingOf(resources, new Set(Object.keys(triggers)), withoutBooks), [])
    const gone = Object.keys(withoutBooks).filter((folder) => !folders.includes(folder.replace("/", "/src/")))
    assert.deepStrictEqual(gone, [], "there is no such resource")
  })

  it("is named where it is missing", () => {
    const posting = "import { post } from \"@svc/ledger/financial-events/routes\"\n"
    const notes = { folder: "payments/notes", code: posting, resource: "", events: ["note.written", "note.read"] }
    const missing = missingOf([notes], new Set(["note.read"]), {})
    assert.lengthOf(missing, 3)
    for (const [n, word] of ["logged(", "note.written", "agreement or stateCheck"].entries()) assert.include(missing[n], word)
    assert.deepStrictEqual(missingOf([{ ...notes, resource: "logged({}); agreement({})" }], new Set(notes.events), {}), [])
    assert.lengthOf(missingOf([{ ...notes, events: [], code: "" }], new Set(), { "payments/notes": "an exception that is not needed" }), 1)
  })
})
