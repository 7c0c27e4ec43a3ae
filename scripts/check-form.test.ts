import { afterEach, assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { checkForm, type Exceptions, isNoMore } from "./check-form.ts"
import { measure } from "./form/measure.ts"

const none: Exceptions = { long_lines: {}, long_functions: {}, many_parameters: {} }
const long = `const text = "${"x ".repeat(80)}"\n`
const PATH = "packages/a/src/a.ts"

const folders: Array<string> = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const checkFile = (text: string, exceptions: Partial<Exceptions> = {}) => {
  const root = mkdtempSync(join(tmpdir(), "svc-form-"))
  folders.push(root)
  mkdirSync(dirname(join(root, PATH)), { recursive: true })
  writeFileSync(join(root, PATH), text)
  return checkForm(root, { ...none, ...exceptions }).problems
}

describe("the form of a file", () => {
  it("is wrong with a line of more than 140 columns, a function of more than 120 lines, or more than four parameters", () => {
    const lines = "  a()\n".repeat(120)
    assert.deepStrictEqual(checkFile(long), [`${PATH}:1: 175 columns; at most 140`])
    assert.deepStrictEqual(checkFile(`const f = () => {\n${lines}}\n`), [`${PATH}:1: a function of 122 lines; at most 120`])
    assert.deepStrictEqual(checkFile("const f = (a, b, c, d, e) => a\n"), [
      `${PATH}:1: 5 parameters; at most 4: what travels together is one value`
    ])
    assert.deepStrictEqual(checkFile(`const f = (a, b, c, d) => {\n  // why\n${"  a()\n\n".repeat(118)}}\n`), [])
  })

  it("counts neither addresses nor tables of a document, nor the suite of a test file as a function", () => {
    const link = "x".repeat(200)
    assert.isEmpty(measure("a.ts", `// https://example.com/${link}\n`).long_lines)
    assert.isEmpty(measure("a.md", `[here](${link})\n| ${link} |\n`).long_lines)
    assert.lengthOf(measure("a.md", `${link}\n`).long_lines, 1)
    const suite = `describe("a", () => {\n${"  it(\"b\", () => {\n    c()\n  })\n".repeat(60)}})\n`
    assert.isEmpty(measure("a.test.ts", suite).long_functions)
    assert.lengthOf(measure("a.test.ts", `it("b", () => {\n${"  c()\n".repeat(130)}})\n`).long_functions, 1)
  })
})

describe("exceptions", () => {
  it("let a file have as many as they say, and fewer", () => {
    assert.deepStrictEqual(checkFile(long + long, { long_lines: { [PATH]: 2 } }), [])
    assert.deepStrictEqual(checkFile(long, { long_lines: { [PATH]: 2 } }), [])
    assert.lengthOf(checkFile(long + long + long, { long_lines: { [PATH]: 2 } }), 3)
  })

  it("are wrong for a file that needs none any more, or is gone", () => {
    const needless = (path: string) => `${path}: needs no exception from long_lines any more; run node scripts/check-form.ts --shrink`
    assert.deepStrictEqual(checkFile("const a = 1\n", { long_lines: { [PATH]: 1 } }), [needless(PATH)])
    assert.deepStrictEqual(checkFile("const a = 1\n", { long_lines: { "gone.ts": 1 } }), [needless("gone.ts")])
  })

  it("may move from file to file, and not grow", () => {
    const of = (long_lines: Readonly<Record<string, number>>): Exceptions => ({ ...none, long_lines })
    assert.isTrue(isNoMore(of({ "b.ts": 2, "c.ts": 1 }), of({ "a.ts": 3 })))
    assert.isFalse(isNoMore(of({ "b.ts": 4 }), of({ "a.ts": 3 })))
    assert.isFalse(isNoMore({ ...none, many_parameters: { "a.ts": 1 } }, of({ "a.ts": 3 })))
  })
})
