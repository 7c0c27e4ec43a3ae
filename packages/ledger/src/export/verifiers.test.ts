/** The two verifiers that know nothing of this code, on an export as it is served and on copies that somebody changed. */
import { assert, layer } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { services } from "@svc/testkit/services"
import { Effect, Stream } from "effect"
import { isObject } from "effect/Predicate"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Checkpoints } from "../checkpoints/service.ts"
import { eventHash } from "../financial-events/chain.ts"
import { entry, openAccount, openWithHistory, write } from "../fixture.ts"
import { LedgerExport } from "./service.ts"

const root = join(import.meta.dirname, "..", "..", "..", "..")
const verifiers: ReadonlyArray<readonly [name: string, program: string, script: string]> = [
  ["the script", process.execPath, join(root, "scripts", "verify-export.mjs")],
  ["Python", "python3", join(root, "docs", "verify_export.py")]
]

const run = (program: string, args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
      execFile(program, args, (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }))
    })
  )

const linesOf = (account: string) =>
  Effect.gen(function*() {
    const text = yield* Effect.scoped(Effect.flatMap((yield* LedgerExport).lines(account), Stream.mkString))
    return text.trimEnd().split("\n")
  })

/** The same line with other values. */
const edited = (line: string | undefined, change: (value: Record<string, unknown>) => Record<string, unknown>): string => {
  const value = parseJson(line ?? "null")
  if (!isObject(value)) throw new TypeError("a line is an object")
  return JSON.stringify({ ...value, ...change({ ...value }) })
}

/** All events from this one on with hashes that fit, as who knows the format could write them. */
const relinked = (lines: ReadonlyArray<string>, from: number): ReadonlyArray<string> => {
  let previous = ""
  return lines.map((line, at) => {
    const value = parseJson(line)
    if (!isObject(value) || !("event_hash" in value)) return line
    if (at < from) {
      previous = String(value.event_hash)
      return line
    }
    const anew = { ...value, ...(at === from ? {} : { previous_hash: previous }) }
    // The fields are those of an event: only their values were changed.
    previous = eventHash(anew as unknown as Parameters<typeof eventHash>[0])
    return JSON.stringify({ ...anew, event_hash: previous })
  })
}

/** In a file whose first line is the daily checkpoint (of 10 events), event n is line n; there are 12 events, and the end is line 13. */
const FIRST = 0
const tampered: ReadonlyArray<readonly [what: string, change: (lines: ReadonlyArray<string>) => ReadonlyArray<string>, sequence: number]> =
  [
    ["an amount is edited", (lines) => lines.with(4, edited(lines[4], () => ({ amount: 1 }))), 4],
    ["a text is edited", (lines) => lines.with(7, edited(lines[7], () => ({ resource_id: "pi_9" }))), 7],
    ["the platform's side is edited", (lines) => lines.with(2, edited(lines[2], () => ({ counter_delta: -9 }))), 2],
    ["an event is deleted", (lines) => lines.toSpliced(5, 1), 5],
    ["the first event is deleted", (lines) => lines.toSpliced(1, 1), 1],
    ["two events change places", (lines) => lines.with(5, lines[6] ?? "").with(6, lines[5] ?? ""), 5],
    ["an event is inserted a second time", (lines) => lines.toSpliced(8, 0, lines[3] ?? ""), 3],
    [
      "an event is inserted",
      (lines) => lines.toSpliced(8, 0, edited(lines[7], (event) => ({ sequence_id: 8, previous_hash: event["event_hash"] }))),
      8
    ],
    ["the last events are cut off", (lines) => lines.slice(0, 9), 9],
    ["the file is cut within a line", (lines) => lines.slice(0, 9).with(8, (lines[8] ?? "").slice(0, 50)), 8],
    ["the last event is cut out before the end", (lines) => lines.toSpliced(12, 1), 12],
    ["the end is missing", (lines) => lines.slice(0, -1), 13],
    ["something stands behind the end", (lines) => [...lines, lines[3] ?? ""], 13],
    ["an event is added with a hash that fits", (lines) => {
      const last = edited(lines[12], (event) => ({ sequence_id: 13, previous_hash: event["event_hash"], event_hash: "" }))
      return relinked(lines.toSpliced(13, 0, last), 13)
    }, 13],
    [
      "an event is edited, and all hashes behind it anew: the daily checkpoint knows",
      (lines) => relinked(lines.with(4, edited(lines[4], () => ({ resource_id: "pi_9" }))), 4),
      10
    ],
    [
      "an event behind the daily checkpoint is edited, and all hashes anew: the end knows",
      (lines) => relinked(lines.with(11, edited(lines[11], () => ({ resource_id: "pi_9" }))), 11),
      12
    ],
    [
      "a rail's leg moves money, and all hashes behind it anew",
      (lines) => relinked(lines.with(11, edited(lines[11], () => ({ event_type: "orchestration_leg_credit" }))), 11),
      11
    ],
    [
      "the end's signature is of something else",
      (lines) =>
        lines.with(
          13,
          edited(lines[13], (end) => ({ checkpoint: { ...Object(end["checkpoint"]), created_at: "2026-01-01T00:00:00.000Z" } }))
        ),
      12
    ],
    [
      "the daily checkpoint's leaf is changed",
      (lines) =>
        lines.with(FIRST, edited(lines[FIRST], (daily) => ({ checkpoint: { ...Object(daily["checkpoint"]), head_hash: "0".repeat(64) } }))),
      10
    ],
    [
      "the daily checkpoint is made up, and reaches to no event",
      (lines) =>
        lines.with(
          FIRST,
          edited(
            lines[FIRST],
            (daily) => ({ checkpoint: { ...Object(daily["checkpoint"]), root_hash: "0".repeat(64), last_sequence_id: 0 } })
          )
        ),
      0
    ],
    [
      "the daily checkpoint is made up, and reaches between two events",
      (lines) =>
        lines.with(FIRST, edited(lines[FIRST], (daily) => ({ checkpoint: { ...Object(daily["checkpoint"]), last_sequence_id: 0.5 } }))),
      0.5
    ],
    ["an amount is written as text", (lines) => lines.with(4, edited(lines[4], ({ amount }) => ({ amount: String(amount) }))), 4],
    ["a line is no object", (lines) => lines.toSpliced(3, 0, "[]"), 3]
  ]

layer(services, { excludeTestServices: true, timeout: "120 seconds" })("an export", (it) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-export-"))
  const put = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const keyFile = Effect.map(Effect.flatMap(Checkpoints, ({ keys }) => keys), (keys) => put("jwks.json", JSON.stringify({ keys })))

  /** What both verifiers say of these lines. */
  const judged = Effect.fnUntraced(function*(lines: ReadonlyArray<string>) {
    const args = [put("ledger.ndjson", `${lines.join("\n")}\n`), yield* keyFile]
    return yield* Effect.forEach(
      verifiers,
      ([name, program, script]) => Effect.map(run(program, [script, ...args]), (answer) => ({ name, ...answer })),
      { concurrency: "unbounded" }
    )
  })

  it.effect("verifies by its file and the public key alone, also one that is empty, without a daily checkpoint, or in odd letters", () =>
    Effect.gen(function*() {
      const [empty, young, old] = [yield* openAccount, yield* openWithHistory, yield* openWithHistory]
      yield* write(young, [
        entry("orchestration_leg_debit", 5),
        entry("orchestration_leg_reversed", 5),
        entry("orchestration_leg_credit", 5)
      ], "legs")
      yield* (yield* Checkpoints).take
      yield* write(
        old,
        [entry("payment_captured", 5, { resource_id: "tab\t\"quote\" \\ ünï 支払 \u{1f4b6} \u007f \u2028" })],
        "ümläut \"key\""
      )
      for (const account of [empty, young, old]) {
        for (const { code, name, said } of yield* judged(yield* linesOf(account))) {
          assert.deepStrictEqual([name, code, said.slice(0, 2)], [name, 0, "ok"], said)
        }
      }
    }))

  it.effect("of another key does not", () =>
    Effect.gen(function*() {
      const lines = yield* linesOf(yield* openWithHistory)
      const args = [
        put("ledger.ndjson", `${lines.join("\n")}\n`),
        put(
          "others.json",
          JSON.stringify({ keys: [{ kty: "OKP", crv: "Ed25519", kid: "another", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] })
        )
      ]
      for (const [, program, script] of verifiers) assert.strictEqual((yield* run(program, [script, ...args])).code, 1)
    }))

  it.effect("that was changed names the first sequence id that is wrong", () =>
    Effect.gen(function*() {
      const account = yield* openWithHistory
      yield* (yield* Checkpoints).take
      yield* write(account, [entry("payment_captured", 5), entry("fee_charged", 1)], "more")
      const lines = yield* linesOf(account)
      assert.strictEqual(lines.length, 14)
      for (const { code } of yield* judged(lines)) assert.strictEqual(code, 0)
      for (const [what, change, sequence] of tampered) {
        for (const { code, name, said } of yield* judged(change(lines))) {
          assert.match(said, new RegExp(`^BAD at sequence ${sequence}: `), `${what}, by ${name}`)
          assert.strictEqual(code, 1)
        }
      }
      rmSync(folder, { recursive: true, force: true })
    }), 120_000)
})
