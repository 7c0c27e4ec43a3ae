import { assert, describe, it } from "@effect/vitest"
import { readFile } from "../readers.ts"

const headsIn = async (path: string, text: string) => {
  const facts = await readFile(path, text)
  return facts.flatMap((one) => one.kind === "symbol" && one.value.kind === "module" ? [[one.value.doc, one.evidence[0].start_line]] : [])
}

describe("the head of a file", () => {
  it.each([
    ["a comment before imports", "/** Prices of\n * articles. More. */\nimport a from \"a\"\n", [["Prices of articles.", 1]]],
    ["lines of comments", "#!/usr/bin/env node\n// Prices of\n// articles.\n\nexport const a = 1\n", [["Prices of articles.", 2]]],
    ["what stands below a notice", "// Copyright 2026 A\n\n// Prices.\nimport a from \"a\"\n", [["Prices.", 3]]],
    ["no comment of a definition", "/** One. */\nexport const a = 1\n", []],
    ["no order to a tool", "// eslint-disable no-console\n\nimport a from \"a\"\n", []],
    ["no comment below code", "import a from \"a\"\n// Prices.\n\nexport const b = a\n", []],
    ["no empty comment", "//\n\nimport a from \"a\"\n", []]
  ])("is %s", async (_, text, expected) => {
    assert.deepStrictEqual(await headsIn("src/price.ts", text), expected)
  })

  it("of a script of a shell is what stands below `#!`", async () => {
    assert.deepStrictEqual(await headsIn("deploy.sh", "#!/bin/sh\n# Deploys.\n\nscp a b\n"), [["Deploys.", 2]])
    assert.deepStrictEqual(await headsIn("deploy.sh", "#!/bin/sh\nscp a b\n"), [])
  })
})
