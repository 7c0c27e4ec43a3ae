/** The tool of docs/adding-a-tool.md and the typed client of README.md: their code is code that is run. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8")

/** The blocks of TypeScript on a page. */
const blocksOf = (page: string) => Array.from(textOf(`../../../${page}`).matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = ""]) => block)

it("docs/adding-a-tool.md shows the tool and the test that are run here", () => {
  assert.deepStrictEqual(blocksOf("docs/adding-a-tool.md"), [
    textOf("examples/translate/svc_translate.ts"),
    textOf("examples/translate/svc_translate.test.ts")
  ])
})

it("README.md shows a typed client, which clients/typed.test.ts lets pay", () => {
  const [client = "no block", ...others] = blocksOf("README.md")
  assert.isEmpty(others)
  assert.include(textOf("examples/typed-client.ts"), client)
})
