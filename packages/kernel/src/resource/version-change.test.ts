import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { downgrade, downgradeField, since, upgrade, versionChange } from "./version-change.ts"

const text = Schema.String
const optional = Schema.optionalKey

/** A note had a `title`, then a `name`; then its `name` became what is within `label`. Another kind changed once. */
const changes = [
  versionChange({
    version: "2026-03-01",
    prefix: "note",
    schema: "Note",
    requests: ["notes.create"],
    older: Schema.Struct({ name: optional(text) }),
    newer: Schema.Struct({ label: optional(Schema.Struct({ text, language: optional(text) })) }),
    toNewer: ({ name }) => name === undefined ? {} : { label: { text: name } },
    toOlder: ({ label }) => label === undefined ? {} : { name: label.text }
  }),
  versionChange({
    version: "2026-02-01",
    prefix: "note",
    schema: "Note",
    requests: ["notes.create"],
    older: Schema.Struct({ title: optional(text) }),
    newer: Schema.Struct({ name: optional(text) }),
    toNewer: ({ title }) => title === undefined ? {} : { name: title },
    toOlder: ({ name }) => name === undefined ? {} : { title: name }
  }),
  versionChange({
    version: "2026-02-01",
    prefix: "task",
    schema: "Task",
    requests: [],
    older: Schema.Struct({ done: Schema.Boolean }),
    newer: Schema.Struct({ status: Schema.Literals(["open", "done"]) }),
    toNewer: ({ done }) => ({ status: done ? "done" : "open" }),
    toOlder: ({ status }) => ({ done: status === "done" })
  })
]
const [newest, middle, oldest] = ["2026-03-01", "2026-02-01", "2026-01-01"] as const
const at = (version: string, value: unknown) => downgrade(since(changes, version))(value)

const note = { id: "note_1", label: { text: "One", language: "en" }, pages: 3 }

describe("an answer in an older version", () => {
  it("takes one step for each change since, the newest first, and keeps the order of the fields", () => {
    assert.strictEqual(JSON.stringify(at(newest, note)), JSON.stringify(note))
    assert.strictEqual(JSON.stringify(at(middle, note)), "{\"id\":\"note_1\",\"name\":\"One\",\"pages\":3}")
    assert.strictEqual(JSON.stringify(at(oldest, note)), "{\"id\":\"note_1\",\"title\":\"One\",\"pages\":3}")
  })

  it("finds resources wherever they stand: in lists, within others, within events that say no version", () => {
    const task = { id: "task_1", status: "done", note, notes: [note, null] }
    assert.deepStrictEqual(at(oldest, { data: [task], total: 1 }), {
      data: [{
        id: "task_1",
        done: true,
        note: { id: "note_1", title: "One", pages: 3 },
        notes: [{ id: "note_1", title: "One", pages: 3 }, null]
      }],
      total: 1
    })
  })

  it("leaves alone what is of another kind, what has an older shape already, and an event that says its version", () => {
    const others = [
      { id: "page_1", label: { text: "x" } },
      { label: { text: "no id" } },
      { id: "note_2", label: "as it was stored" },
      { id: 7, label: null },
      "note_1",
      3,
      null
    ]
    assert.deepStrictEqual(at(oldest, others), others)
    const event = { id: "evt_1", api_version: middle, data: note }
    assert.deepStrictEqual(at(oldest, { data: [event] }), { data: [event] })
  })
})

describe("a request in an older version", () => {
  const read = (version: string, body: unknown, operation = "notes.create") => upgrade(since(changes, version), operation, body)

  it("is read as the newest would have said it", () => {
    for (
      const [version, body] of [[newest, { label: { text: "One" }, pages: 3 }], [middle, { name: "One", pages: 3 }], [oldest, {
        title: "One",
        pages: 3
      }]] as const
    ) {
      assert.deepStrictEqual(read(version, body), Result.succeed({ label: { text: "One" }, pages: 3 }))
    }
    for (const body of [{}, { pages: 3 }, [], "x", null]) assert.deepStrictEqual(read(oldest, body), Result.succeed(body))
    assert.deepStrictEqual(read(oldest, { title: "One" }, "notes.update"), Result.succeed({ title: "One" }), "another operation")
  })

  it("is refused with its own words, and knows no field of a newer one", () => {
    for (const [body, code] of [[{ title: 7 }, "title"], [{ name: "One" }, "name"], [{ label: { text: "x" } }, "label"]] as const) {
      assert.strictEqual(Result.getOrThrow(Result.flip(read(oldest, body))).code, code)
    }
  })

  it("hears of its own fields what the newest refuses", () => {
    const named = (version: string, field: string) => downgradeField(since(changes, version), "notes.create", field)
    assert.deepStrictEqual(
      [named(newest, "label.text"), named(middle, "label.text"), named(oldest, "label.text"), named(oldest, "pages")],
      ["label.text", "name", "title", "pages"]
    )
  })

  it.effect.prop("says what the answer will say back", [Schema.Struct({ title: text, pages: Schema.Int })], ([body]) =>
    Effect.sync(() => {
      const newer = Result.getOrThrow(read(oldest, body))
      assert.deepStrictEqual(at(oldest, { id: "note_1", ...(typeof newer === "object" ? newer : {}) }), { id: "note_1", ...body })
    }))
})
