import { assert, describe, it } from "@effect/vitest"
import { EgressError } from "@svc/kernel/egress/model"
import { allows } from "@svc/kernel/resource/state-machine"
import { Duration, Option, Result, Schema } from "effect"
import { deliveryMachine } from "./machine.ts"
import { internalError, judge, parseRetryAfter, standing } from "./rules.ts"

const answer = (status: number, headers: Readonly<Record<string, string>> = {}) => judge(Result.succeed({ status, headers, body: "" }), 0)
const failure = (reason: EgressError["reason"], status?: number) =>
  judge(Result.fail(new EgressError({ reason, message: "why", ...(status === undefined ? {} : { status }) })), 0)
const seconds = (option: Option.Option<Duration.Duration>) => Option.getOrNull(Option.map(option, Duration.toSeconds))

describe("judge", () => {
  it.each([200, 201, 202, 204, 299])("accepts %d", (status) => {
    assert.deepInclude(answer(status), { next: "accept", outcome: "delivered", response_status: status, error: null })
  })
  it.each([408, 429, 500, 502, 503, 504, 599])("retries %d", (status) => {
    assert.deepInclude(answer(status), { next: "retry", outcome: `http_${status}`, response_status: status })
  })
  it.each([101, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 410, 422, 451, 499])("gives up on %d", (status) => {
    assert.deepInclude(answer(status), { next: "refuse", outcome: `http_${status}`, response_status: status })
  })
  it.each(
    [
      ["timeout", "timeout", "retry"],
      ["connection", "connection_failed", "retry"],
      ["tls", "tls_failed", "retry"],
      ["response_too_large", "response_too_large", "retry"],
      ["unresolvable", "unresolvable_host", "refuse"],
      ["refused_address", "refused_address", "refuse"],
      ["invalid_url", "invalid_url", "refuse"]
    ] as const
  )("%s is %s: %s", (reason, outcome, next) => {
    assert.deepInclude(failure(reason), { next, outcome, response_status: null, error: "why" })
  })
  it("goes by the status of an answer that was cut off", () => {
    assert.deepInclude(failure("response_too_large", 200), { next: "accept", outcome: "delivered" })
    assert.deepInclude(failure("response_too_large", 404), { next: "refuse", outcome: "http_404" })
    assert.deepInclude(failure("response_too_large", 500), { next: "retry", outcome: "http_500" })
  })
  it.prop("judges every status, and accepts 2xx only", [Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }))], ([status]) => {
    const { next, outcome } = answer(status)
    assert.strictEqual(next === "accept", status >= 200 && status <= 299)
    assert.strictEqual(next === "retry", status >= 500 || status === 408 || status === 429)
    assert.strictEqual(outcome === "delivered", next === "accept")
  }, { arbitrary: { runs: 1000 } })
})

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z")
  it.each(
    [
      ["45", 45],
      [" 45 ", 45],
      ["0", null],
      ["-5", null],
      ["4.5", null],
      ["soon", null],
      ["", null],
      ["2026", 2026],
      ["99999999999", null],
      ["Thu, 01 Jan 2026 00:01:00 GMT", 60],
      ["Wed, 31 Dec 2025 23:59:00 GMT", null]
    ] as const
  )("%j asks for %d s", (header, expected) => {
    assert.strictEqual(seconds(parseRetryAfter(header, now)), expected)
  })
  it("lengthens the wait, within the time that is left", () => {
    const wait = (asked: string, attempts: number) => seconds(standing(answer(503, { "retry-after": asked }), "standard", attempts).wait)
    assert.deepStrictEqual([wait("5", 1), wait("45", 1), wait("3600", 1)], [30, 45, 90])
    assert.deepStrictEqual([wait("45", 2), wait("3600", 3), wait("3600", 4)], [45, 30, null])
  })
  it("says nothing where the answer is final", () => {
    assert.isTrue(Option.isNone(answer(404, { "retry-after": "45" }).retryAfter))
  })
})

describe("standing", () => {
  it.each(
    [
      ["accept", 200, 1, "delivered"],
      ["refuse at once", 404, 1, "failed"],
      ["redirects are not followed", 302, 1, "failed"],
      ["retry", 500, 1, "retrying"],
      ["retry", 500, 3, "retrying"],
      ["exhaust with the fourth attempt", 500, 4, "failed"],
      ["accept with the fourth attempt", 200, 4, "delivered"]
    ] as const
  )("%s: %d on attempt %d leaves it %s", (_, status, attempts, expected) => {
    assert.strictEqual(standing(answer(status), "standard", attempts).status, expected)
  })
  it("gives the long schedule ten attempts", () => {
    assert.strictEqual(standing(answer(500), "long", 9).status, "retrying")
    assert.strictEqual(standing(answer(500), "long", 10).status, "failed")
  })
  it("counts from the start of an attempt, so that four which time out begin within 90 seconds", () => {
    const timedOut = (schedule: "standard" | "long", attempts: number) =>
      seconds(standing(failure("timeout"), schedule, attempts, Duration.seconds(10)).wait)
    assert.deepStrictEqual([1, 2, 3, 4].map((attempts) => timedOut("standard", attempts)), [20, 20, 20, null])
    // A wait that is shorter than the attempt was is not skipped.
    assert.deepStrictEqual([timedOut("long", 1), timedOut("long", 2)], [5, 290])
  })
  it("retries what went wrong on our side", () => {
    assert.strictEqual(standing(internalError, "standard", 1).status, "retrying")
  })
  it("moves as the published table says", () => {
    for (const status of [200, 302, 404, 408, 429, 500]) {
      for (const attempts of [1, 2, 3, 4]) {
        const from = attempts === 1 ? "pending" : "retrying"
        const to = standing(answer(status), "standard", attempts).status
        assert.isTrue(deliveryMachine.transitions.some((move) => move.from === from && move.to === to), `${from} to ${to}`)
      }
    }
    assert.isFalse(allows(deliveryMachine, "failed", "accept"))
  })
})
