import { assert, describe, it } from "@effect/vitest"
import { Tiktoken } from "js-tiktoken/lite"
import o200k from "js-tiktoken/ranks/o200k_base"
import { loadTokenizer, tokensIn } from "../tokens.ts"
import { linesOf } from "./testing.ts"

describe("prompts", () => {
  it("are constants that are called so, and texts of calls of models", async () => {
    const text = `import OpenAI from "openai"
const SYSTEM_PROMPT = "You answer support mail " +
  "in one paragraph."
const promptKey = "short"
export const ask = (mail: string) =>
  client.chat.completions.create({
    model: "gpt-4o",
    max_tokens: 300,
    messages: [{ role: "user", content: \`Answer this mail kindly: \${mail}\` }]
  })
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "prompt", "text", "tokens", "holes", "within"), [
      "SYSTEM_PROMPT You answer support mail in one paragraph. 8 0 null @2-3",
      "client.chat.completions.create content Answer this mail kindly: ${mail} 6 1 ask @9"
    ])
    assert.deepStrictEqual(await linesOf("a.ts", text, "model-call", "options"), ["openai {\"max_tokens\":\"300\"} @6-10"])
  })

  it("of Python are read with their marks", async () => {
    const text = `PROMPT = f"""Translate {text} into
French, please."""
`
    assert.deepStrictEqual(await linesOf("a.py", text, "prompt", "text", "holes"), ["PROMPT Translate {text} into French, please. 1 @1-2"])
  })

  it.each([
    [
      "for",
      "a.py",
      "import openai\ndef all(mails):\n    for mail in mails:\n        openai.chat.completions.create(\n            model='x')\n",
      3
    ],
    [
      "map",
      "a.ts",
      "import OpenAI from 'openai'\nexport const all = (mails) =>\n  mails.map((mail) =>\n    client.responses.create({})\n  )\n",
      3
    ]
  ])("know the loop around a call: %s", async (_, path, text, line) => {
    const loops = await linesOf(path, text, "model-call", "loop")
    assert.strictEqual(loops[0], `openai ${text.split("\n")[line - 1]?.trim()} @${path === "a.py" ? "4-5" : "4"}`)
  })

  it("have no loop where they stand behind one", async () => {
    const text =
      "import openai\ndef all(mails):\n    for mail in mails:\n        print(mail)\n    openai.chat.completions.create(model='x')\n"
    assert.deepStrictEqual(await linesOf("a.py", text, "model-call", "loop"), ["openai null @5"])
  })

  it("are counted as another tokenizer counts them", async () => {
    const tokenizer = await loadTokenizer()
    const other = new Tiktoken(o200k)
    for (const text of ["", "You answer support mail.", "Größe: 12 €\n\n\tn = 3", "你好，世界", "<|endoftext|>", "🙂🙂"]) {
      assert.strictEqual(tokensIn(tokenizer, text), other.encode(text, [], []).length, text)
    }
  })

  it("take no long time to count", async () => {
    const tokenizer = await loadTokenizer()
    assert.strictEqual(tokensIn(tokenizer, "a".repeat(400_000)), 50_000)
    assert.isAbove(tokensIn(tokenizer, "语".repeat(100_000)), 90_000)
  })
})
