import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Headers } from "effect/http"
import { keyedRequest } from "./keyed.ts"

const ask = (body: string) =>
  keyedRequest("note.create", {
    method: "POST",
    url: "/v1/notes",
    headers: Headers.fromInput({ "idempotency-key": "k" }),
    text: Effect.succeed(body)
  }, {})

// The answers of most writes are kept under a key that is read before the body is checked.
it.effect("a body that is nested without end has a fingerprint, so that it is refused as what it is", () =>
  Effect.gen(function*() {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    const fingerprints = yield* Effect.forEach([deep(10), deep(600), deep(20_000)], (body) => Effect.map(ask(body), (of) => of.fingerprint))
    assert.lengthOf(Array.from(new Set(fingerprints)), 3)
  }))
