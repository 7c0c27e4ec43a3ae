import { assert, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { idOf, isSnapshotId, partOf } from "./rules.ts"

const at = (place: number | string) => ({ at: place, path: "a.ts", start_line: 1, end_line: 1 })
const places = (citations: ReadonlyArray<{ readonly at: number | string }>) => citations.map(({ at }) => at)

describe("the id of a snapshot", () => {
  it("holds all 128 bits", () => {
    assert.strictEqual(idOf(new Uint8Array(16)), `snap_${"0".repeat(26)}`)
    assert.strictEqual(idOf(new Uint8Array(16).fill(255)), `snap_7${"Z".repeat(25)}`)
    for (let bit = 0; bit < 128; bit++) {
      const bytes = new Uint8Array(16)
      bytes[bit >> 3] = 1 << (bit & 7)
      assert.notStrictEqual(idOf(bytes), idOf(new Uint8Array(16)), `bit ${bit}`)
    }
    assert.isTrue(isSnapshotId(idOf(randomBytes(16))))
  })
})

describe("a part of an artifact", () => {
  const whole = "one\ntwo\nthree\n"

  it("goes on where the one before ended, to the end", () => {
    const text = "Zwölf 🦊 und 🐻\n"
    let [shown, offset, parts] = ["", 0, 0]
    for (let next: number | null = 0; next !== null; parts++) {
      const part = partOf(text, [], { offset, limit: 3 })
      assert.isTrue(part.text.isWellFormed())
      assert.strictEqual(part.total_characters, Array.from(text).length)
      shown += part.text
      next = part.next_offset
      offset = next ?? 0
    }
    assert.deepStrictEqual([shown, parts], [text, 5])
    assert.deepInclude(partOf(text, [], { offset: 1000, limit: 3 }), { text: "", next_offset: null, citations: [] })
  })

  it("has the citations of its lines", () => {
    const citations = [at(1), at(2), at(3)]
    assert.deepStrictEqual(places(partOf(whole, citations, { offset: 0, limit: 100 }).citations), [1, 2, 3])
    assert.deepStrictEqual(places(partOf(whole, citations, { offset: 0, limit: 4 }).citations), [1])
    assert.deepStrictEqual(places(partOf(whole, citations, { offset: 2, limit: 4 }).citations), [1, 2])
    assert.deepStrictEqual(places(partOf(whole, citations, { offset: 8, limit: 100 }).citations), [3])
  })

  it("has the citations of the JSON values that begin in it", () => {
    const text = JSON.stringify({ "a/b": [{ name: "x" }, "y"], "~": 1 }, null, 2)
    const pointers = ["/a~1b/0", "/a~1b/0/name", "/a~1b/1", "/~0", ""]
    const placesIn = (offset: number, limit: number) => places(partOf(text, pointers.map(at), { offset, limit }).citations)
    assert.deepStrictEqual(placesIn(0, 1000), pointers)
    const second = text.indexOf("\"y\"")
    assert.deepStrictEqual(placesIn(0, second), ["/a~1b/0", "/a~1b/0/name", ""])
    assert.deepStrictEqual(placesIn(second, 3), ["/a~1b/1"])
    assert.deepStrictEqual(placesIn(second + 3, 1000), ["/~0"])
  })
})
