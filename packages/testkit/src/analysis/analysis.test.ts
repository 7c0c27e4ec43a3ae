import { assert, beforeAll, describe, it } from "@effect/vitest"
import { textsIn } from "@svc/programs/testing/repository"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { analyze } from "./analyze.ts"
import { type Share, unknown } from "./measures.ts"
import { projects } from "./projects.ts"
import { measure, type Measured, overlapOf, RULES } from "./report.ts"
import { tools } from "./tools.ts"

const folderOf = (name: string): string => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
const share = ({ all, held }: Share): number => all === 0 ? 1 : held / all

const PROJECTS = ["shop", "payments", "agent"]
/** Two packages that are installed anyway. */
const PACKAGES = ["robots-parser", "nodemailer"]

/** What the caller calls a project. */
const NAME = "kiosk"

describe("an analysis", () => {
  const measured: Array<Measured> = []

  beforeAll(async () => {
    for (const name of PROJECTS) measured.push(await measure(name, projects[name] ?? {}, 7))
    for (const name of PACKAGES) measured.push(await measure(name, textsIn(folderOf(name)), 2))
  }, 180_000)

  const misses = (of: (one: Measured) => Share) => measured.flatMap((one) => of(one).misses.map((miss) => `${one.name}: ${miss}`))
  const total = (of: (one: Measured) => Share): Share => ({
    held: measured.reduce((sum, one) => sum + of(one).held, 0),
    all: measured.reduce((sum, one) => sum + of(one).all, 0),
    misses: misses(of)
  })

  it("finds what is planted", () => {
    assert.isAtLeast(share(total((one) => one.planted)), 0.95, misses((one) => one.planted).join("\n"))
  })

  it("cites its claims", () => {
    assert.isAtLeast(share(total((one) => one.cited)), 0.9, misses((one) => one.cited).join("\n"))
  })

  it("answers what is asked of it in five lines", () => {
    assert.isAtLeast(share(total((one) => one.answered)), 0.85, misses((one) => one.answered).join("\n"))
  })

  it("answers in half of the tokens that the files take which a search names", () => {
    const tokens = (of: "artifacts" | "files") => measured.reduce((sum, { reading }) => sum + reading[of], 0)
    assert.isAtMost(tokens("artifacts") / tokens("files"), 0.5, measured.flatMap(({ reading }) => reading.losses).join("\n"))
  })

  it("names nothing that is in no fact", () => {
    assert.deepStrictEqual(measured.flatMap((one) => one.unknown.map((name) => `${one.name}: ${name}`)), [])
  })

  it.each(Object.keys(projects).filter((name) => !PROJECTS.includes(name)))("names nothing of %s that is in no fact", async (name) => {
    assert.deepStrictEqual(unknown(await analyze(name, projects[name] ?? {}), RULES), [])
  })

  it.each(Object.entries(tools))("names no word of %s that no file has and no named manual", async (_, files) => {
    assert.deepStrictEqual(unknown(await analyze(NAME, files), [...RULES, NAME]), [])
  })

  it("takes back what it claims of lines that are deleted", () => {
    assert.isAtLeast(share(total((one) => one.vanished)), 0.95, misses((one) => one.vanished).join("\n"))
  })

  it("says something else of each repository", () => {
    const { highest, mean } = overlapOf(measured, (path) => path.endsWith(".md"))
    assert.isAtMost(mean, 0.2, `highest: ${JSON.stringify(highest)}`)
  })
})
