/** What is found by keyword, and what a task is told that it needs. */
import { assert, describe, it } from "@effect/vitest"
import { programs } from "@svc/programs/programs"
import type { Entry } from "@svc/tool-kit/services/directory"
import { compiled } from "../catalog/index.ts"
import { findPrograms, findTools } from "./find.ts"
import { needs, triage } from "./needs.ts"
import { rank, wordsOf } from "./search.ts"
import { toolTopics } from "./topics.ts"

describe("ranking", () => {
  const items = ["pay a bill", "payment rails", "rails of a railway", "nothing"]
  const ranked = (query: string) => rank(query, items, (text) => ({ texts: [[text, 1]] })).map(({ item }) => item)

  it("finds by words and by their beginnings, equal words first, and nothing without a fit", () => {
    assert.deepStrictEqual(ranked("payment"), ["payment rails", "pay a bill"])
    assert.deepStrictEqual(ranked("payments"), ["payment rails", "pay a bill"])
    assert.deepStrictEqual(ranked("zebra"), [])
    assert.deepStrictEqual(ranked("the of a"), [])
    assert.deepStrictEqual(ranked(""), [])
  })

  it("counts a rare word for more", () => {
    assert.strictEqual(ranked("rails railway")[0], "rails of a railway")
  })

  it("reads words of names in any script, and stems only what is long enough", () => {
    assert.deepStrictEqual(wordsOf("svc_web-research.Crawl"), ["svc", "web", "research", "crawl"])
    assert.deepStrictEqual(wordsOf("Zahlungen für Ämter gas"), ["zahlungen", "für", "ämter", "gas"])
  })

  it("takes long queries of strange signs without harm", () => {
    for (const query of ["(".repeat(200), "\\".repeat(200), "𝒳".repeat(100), "a ".repeat(100), "\u0000"]) assert.isArray(ranked(query))
  })
})

describe("programs", () => {
  it.each(programs.map(({ name }) => [name] as const))("%s is found first by its own name", (name) => {
    assert.strictEqual(findPrograms(name)[0]?.name, name)
  })

  it.each(programs.flatMap(({ artifacts, name }) => artifacts.map(({ path }) => [path, name] as const)))(
    "%s is found first by its path and by its name, whatever stands beside it",
    (path, program) => {
      const file = path.split("/").at(-1) ?? path
      for (const query of [path, path.toUpperCase(), `generate ${path} for my shop`]) {
        const [found] = findPrograms(query)
        assert.deepStrictEqual([found?.name, found?.artifacts[0]?.path], [program, path], query)
      }
      const [found] = findPrograms(file)
      assert.strictEqual(found?.artifacts[0]?.path.split("/").at(-1), file)
      assert.strictEqual(findPrograms(file, program)[0]?.artifacts[0]?.path.split("/").at(-1), file)
    }
  )

  it.each(
    [
      ["software bill of materials", "closer"],
      ["verify a signature of webhooks", "agentic-purchasing"],
      ["accessibility of images", "frontend"],
      ["token budget of prompts", "optimization"],
      ["flags and experiments", "marketing"],
      ["powershell", "deploy"]
    ] as const
  )("%s: %s", (query, name) => {
    assert.strictEqual(findPrograms(query)[0]?.name, name)
  })

  it("shows the artifacts that fit first, and one program alone when asked", () => {
    const [found] = findPrograms("dockerfile", "deploy")
    assert.match(found?.artifacts[0]?.path ?? "", /Dockerfile/)
    assert.isAbove(findPrograms("dockerfile").length, 1)
    assert.lengthOf(findPrograms("dockerfile", "deploy"), 1)
    assert.isEmpty(findPrograms("dockerfile", "no such program"))
  })
})

describe("tools", () => {
  const tools = Object.keys(toolTopics).map((name): Entry => ({
    name,
    title: "",
    description: "",
    category: "service",
    auth: "key",
    price_cents: { standard: 1, lite: 1, engineer: 1 },
    status: "available",
    also: []
  }))

  it.each(
    [
      ["pdf", "svc_document_parsing"],
      ["invoice.docx", "svc_document_parsing"],
      ["run a python script", "svc_code_sandbox"],
      ["scrape a website", "svc_web_research"],
      ["upload files", "svc_object_storage"],
      ["subtitles of a podcast", "svc_speech_to_text"],
      ["smtp", "svc_transactional_email"]
    ] as const
  )("%s: %s", (query, name) => {
    assert.strictEqual(findTools(query, tools)[0]?.item.name, name)
  })

  it("of a topic are tools of the catalog", () => {
    assert.includeMembers(compiled.map(({ name }) => name), Object.keys(toolTopics))
  })
})

describe("needs of a purchase", () => {
  it.each(
    [
      ["Pay the invoice with a card", "payment"],
      ["A customer in Europe is challenged by 3DS", "sca"],
      ["We lose every chargeback", "dispute"],
      ["The agent acts on behalf of my boss and needs consent", "mandate"],
      ["Store the PAN of cards in a vault", "tokenization"]
    ] as const
  )("%s: %s", (task, area) => {
    assert.include(triage(task).map((need) => need.area), area)
  })

  it("puts areas asked for by name first, whether the task tells of them or not", () => {
    const found = triage("Pay an invoice", ["tap"])
    assert.deepStrictEqual([found[0]?.area, found[0]?.matched], ["tap", []])
    assert.include(found.map(({ area }) => area), "payment")
  })

  it("says what every purchase needs where no word tells", () => {
    assert.deepStrictEqual(triage("xyzzy").map(({ area }) => area), ["payment", "readiness"])
  })

  it("names artifacts that there are", () => {
    const paths = programs.flatMap(({ artifacts }) => artifacts.map(({ path }) => path))
    for (const { artifacts } of needs) assert.includeMembers(paths, [...artifacts])
    assert.deepStrictEqual(triage("a mandate").map(({ programs: makers }) => makers), [["agentic-purchasing"]])
  })

  it("has no term that reading a task could not give", () => {
    for (const { terms } of needs) for (const term of terms) assert.deepStrictEqual(wordsOf(term), [term])
  })
})
