import { assert, describe, it } from "@effect/vitest"
import { bakery } from "../testing/bakery.fixture.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import type { Texts } from "../testing/measures.ts"
import { museum } from "../testing/museum.fixture.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { optimization } from "./program.ts"

const textOf = async (path: string, texts: Texts): Promise<string> => {
  const project = await projectIn(texts, "example")
  return optimization.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? ""
}

describe("optimization", () => {
  it("says what was searched", () => saysWhatWasSearched(optimization))
  it("gives the same bytes", async () => givesTheSameBytes(optimization, await factsIn(bakery)))
  it("cites what it says of TypeScript", () => citesWhatItSays(optimization, bakery))
  it("cites what it says of Python", () => citesWhatItSays(optimization, museum))
  it("differs", () => differs(optimization, bakery, museum))

  it.each([
    ["optimization-rules.md", bakery, [
      "| `advise` | `client.chat.completions.create` | `gpt-4o-mini` | 200 | unset | unset | unset | `src/advice.ts:10-14`",
      "- `advise` calls once a round of `for (const question of questions) {`. (`src/advice.ts:10-14`, `src/advice.ts:9`)",
      "- `nameLoaf` sets no limit of tokens. (`src/advice.ts:19`)",
      "is filled in from character 1 on. (`src/advice.ts:19`)"
    ]],
    ["optimization-rules.md", museum, ["| 120 | True | unset | unset |", "- `GUIDE_INSTRUCTIONS` is filled in from character 50 on."]],
    ["prompt-diff-report.md", bakery, [
      "- `ADVICE_PROMPT` and `RYE_PROMPT`: the second alone has `rye` (21 and 22 tokens). (`src/advice.ts:5`, `src/advice.ts:6`)"
    ]],
    ["cost-estimate.json", bakery, [
      "\"prompts\":[\"ADVICE_PROMPT\"],\"fixed tokens\":21,\"filled in\":0,\"answer at most\":200",
      "\"gpt-5: what does a token cost, read and written? Source: [OpenAI](https://openai.com/api/pricing/)\""
    ]],
    ["token-budget-plan.md", bakery, [
      "- `advise` sends `ADVICE_PROMPT`, 21 tokens; answered by at most 200; each round of `for (const question of questions) {`. (",
      "- `RYE_PROMPT`: 22 tokens. (`src/advice.ts:6`)"
    ]]
  ])("says in %s what is planted", async (path, texts, lines) => {
    const text = await textOf(path, texts)
    for (const line of lines) assert.include(text, line)
  })

  it("finds a prompt that is imported", async () => {
    const text = await textOf("token-budget-plan.md", {
      "ask.py": "from openai import OpenAI\nfrom .prompts import SYSTEM_PROMPT\n\n" +
        "def ask():\n    return OpenAI().responses.create(instructions=SYSTEM_PROMPT)\n",
      "prompts.py": "SYSTEM_PROMPT = \"You answer mail in one paragraph.\"\n"
    })
    assert.include(text, "- `ask` sends `SYSTEM_PROMPT`, 7 tokens. (`ask.py:5`, `prompts.py:1`)")
  })

  it("names no price", async () => {
    assert.notMatch(await textOf("cost-estimate.json", bakery), /[$€]|USD|cents/u)
  })
})
