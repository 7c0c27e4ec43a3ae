import { assert, describe, it } from "@effect/vitest"
import { fact } from "../facts/model.ts"
import { citedLine, codeFile, comments, shellWord } from "./comments.ts"
import { absence, claim, rule } from "./model.ts"

const script = (path: string) => fact("script", "test", { runner: "npm", command: "node --test" }, { path, start_line: 3, end_line: 3 })

describe("comments", () => {
  it("name the places of a line behind it, and cite them by that line", () => {
    assert.deepStrictEqual(codeFile([{ text: "set -e" }, citedLine("#", "npm run test", [script("package.json")])]), {
      text: "set -e\nnpm run test # package.json:3\n",
      evidence: "cited",
      citations: [{ at: 2, path: "package.json", start_line: 3, end_line: 3 }]
    })
  })

  it("hold sentences", () => {
    const lines = comments("//", [
      claim("It is tested.", script("package.json")),
      absence("No linter.", 2),
      rule("Keep it short.", { name: "Manual", url: "https://example.com" })
    ])
    assert.deepStrictEqual(lines.map(({ text }) => text), [
      "// It is tested. (package.json:3)",
      "// No linter. Searched: 2 files.",
      "// Keep it short. Source: [Manual](https://example.com)."
    ])
  })

  it("are not ended by a name that holds an end of a line", () => {
    for (const end of ["\n", "\r", "\u2028", "\u2029", "\u0085"]) {
      const { text } = citedLine("#", "npm run test", [script(`a${end}rm -rf x`)])
      assert.notInclude(text, end)
      assert.strictEqual(text.split("\n").length, 1)
    }
  })

  it("quote words of a shell", () => {
    assert.strictEqual(shellWord("packages/a-b"), "packages/a-b")
    assert.strictEqual(shellWord("a b; it's $HOME"), `'a b; it'\\''s $HOME'`)
  })
})
