import { assert, describe, it } from "@effect/vitest"
import { deflateRawSync } from "node:zlib"
import { pack } from "./pack.ts"
import { engine } from "./read.ts"

/** What a file of each language may be made of to hold up or break whoever reads it. */
const LANGUAGES: ReadonlyArray<
  readonly [path: string, nesting: readonly [open: string, close: string], statement: string, broken: string]
> = [
  ["a.ts", ["f(", ")"], "a.b(\"c\");", "export class { function ( import from }}}} `${"],
  ["a.tsx", ["<a>", "</a>"], "a(<b/>);", "<a {...<b>}} </c"],
  ["a.py", ["(", ")"], "a.b(\"c\");", "def class import (((\n\t\t  \n:::\n\"\"\""],
  ["a.go", ["f(", ")"], "a.b(\"c\");", "package func ( type struct { }}} `"],
  ["a.rs", ["f(", ")"], "a::b!(\"c\");", "pub fn impl { use a::{{{ r#\""],
  ["a.java", ["f(", ")"], "a.b(\"c\");", "class { @ import ; public void ( \"\"\""],
  ["a.cs", ["f(", ")"], "a.b(\"c\");", "using [[[ namespace class { @\""],
  ["a.php", ["f(", ")"], "a(\"c\");", "<?php use { class function <<<A"],
  ["a.rb", ["f(", ")"], "a.b(\"c\");", "def class module %w( <<~A"],
  ["a.c", ["f(", ")"], "a(\"c\");", "#include #define struct { ( /*"],
  ["a.cpp", ["f(", ")"], "a::b(\"c\");", "template<<<< class namespace { R\"("],
  ["a.sol", ["f(", ")"], "a.b(\"c\");", "contract { import function ( event"],
  ["a.sh", ["$(", ")"], "a \"c\";", "if case ${ $(( <<A"],
  ["a.swift", ["f(", ")"], "a.b(\"c\");", "func class { @ import \"\"\""],
  ["a.dart", ["f(", ")"], "a.b(\"c\");", "class { import ' ''' ${"]
]

const MEBIBYTE = 1024 * 1024
const NESTED = 2000
const LONG = 50_000

const read = (path: string, text: string) => engine(pack([{ name: path, bytes: deflateRawSync(text) }]))

describe("hostile files", () => {
  for (const [path, [open, close], statement, broken] of LANGUAGES) {
    it.each([
      ["deep nesting", open.repeat(NESTED) + close.repeat(NESTED)],
      ["nesting that is never closed", open.repeat(NESTED)],
      ["one long line", statement.repeat(LONG / statement.length)],
      ["broken syntax", broken.repeat(200)]
    ])(`${path}: %s is read or named, and the next file is read`, async (_, text) => {
      const answer = await read(path, text)
      assert.strictEqual(new Set([...answer.files, ...answer.skipped].map(({ path }) => path)).size, 1)
      assert.deepStrictEqual(answer.unread, [])
      const next = await read("next.ts", "export const after = 1\n")
      assert.lengthOf(next.files, 1)
    })
  }

  it("a mebibyte in one line is read or named in time", async () => {
    const answer = await read("a.ts", "a.b(\"c\");".repeat(MEBIBYTE / 9))
    assert.strictEqual(new Set([...answer.files, ...answer.skipped].map(({ path }) => path)).size, 1)
  })

  it("a file over a mebibyte is named", async () => {
    const answer = await read("a.ts", " ".repeat(MEBIBYTE + 1))
    assert.deepStrictEqual(answer.skipped.map(({ path }) => path), ["a.ts"])
  })
})
