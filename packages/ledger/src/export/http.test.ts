/** The export as clients have it who do not read it. */
import { assert, layer } from "@effect/vitest"
import { EVENTS_OF_PAYMENT, fillLedger } from "@svc/testkit/books"
import { jsonOf, layer as service, type Merchant, openMerchant, operatorKey, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"

/** Payments in a ledger that is longer than what the two ends of a connection hold, some 6 MiB, and in one that is not. */
const [LONG, SHORT] = [2_500, 300]

const open = Effect.fnUntraced(function*(name: string, payments: number) {
  const merchant = yield* openMerchant(name)
  yield* fillLedger(merchant.id, payments)
  return merchant
})

/** Asks for an export and reads nothing but its first bytes. It hangs up with the scope. */
const unread = Effect.fnUntraced(function*({ key }: Merchant) {
  const { address } = yield* HttpServer.HttpServer
  const port = Number(new URL(HttpServer.formatAddress(address)).port)
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1").on("error", () => {})),
    (opened) => Effect.sync(() => opened.destroy())
  )
  socket.write(`GET /v1/ledger/export HTTP/1.1\r\nHost: svc.test\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  yield* Effect.promise(() => once(socket, "readable"))
  return String(socket.read(12))
})

const whole = ({ key }: Merchant) => send("GET", "/v1/ledger/export", { key })

const entriesIn = ({ text }: { readonly text: string }) => text.split("\n").filter((line) => line.startsWith("{\"id\":\"fe_"))

layer(service, { excludeTestServices: true })("the export of an account by its id", (it) => {
  it.effect("is for its merchant and for operators, and for others as if it did not exist", () =>
    Effect.gen(function*() {
      const [own, other] = [yield* open("exported", 2), yield* open("curious", 1)]
      const path = `/v1/accounts/${own.id}/ledger/export`
      const entries = entriesIn(yield* whole(own))
      assert.strictEqual(entries.length, 2 * EVENTS_OF_PAYMENT)
      for (const key of [own.key, yield* operatorKey]) {
        const exported = yield* Effect.repeat(send("GET", path, { key }), { until: ({ status }) => status !== 429, times: 500 })
        assert.deepStrictEqual([exported.status, entriesIn(exported)], [200, entries])
      }
      assert.strictEqual((yield* send("GET", path, { key: other.key })).status, 404)
      const nobody = yield* send("GET", `/v1/accounts/acct_${"0".repeat(26)}/ledger/export`, { key: yield* operatorKey })
      assert.strictEqual(nobody.status, 404)
    }))
})

/** The server notices a client that went away a moment later. */
const untilAdmitted = (merchant: Merchant) => Effect.repeat(whole(merchant), { until: ({ status }) => status === 200, times: 500 })

layer(service, { excludeTestServices: true, timeout: "120 seconds" })("an export that is not read", (it) => {
  it.effect(
    "is the only one of its account, keeps nobody else from theirs, and leaves its place when its client goes",
    () =>
      Effect.gen(function*() {
        const [own, other] = [yield* open("own", LONG), yield* open("other", SHORT)]
        yield* Effect.scoped(Effect.gen(function*() {
          assert.strictEqual(yield* unread(own), "HTTP/1.1 200")
          const second = yield* whole(own)
          assert.deepStrictEqual([second.status, second.headers["retry-after"]], [429, "5"])
          assert.deepInclude(jsonOf(second), { error: "rate_limited", details: { retry_after: 5 } })
          assert.include(second.text, "the account has one under way")
          const lines = (yield* whole(other)).text.trimEnd().split("\n")
          assert.strictEqual(lines.length, SHORT * EVENTS_OF_PAYMENT + 1)
          assert.include(lines.at(-1), "\"type\":\"end\"")
        }))
        assert.strictEqual((yield* untilAdmitted(own)).status, 200)
        // Once it was read to its end there is a place again, too; and there is one after what only asks for the head.
        assert.strictEqual((yield* send("HEAD", "/v1/ledger/export", { key: own.key })).status, 200)
        assert.strictEqual((yield* untilAdmitted(own)).status, 200)
      }),
    120_000
  )
})
