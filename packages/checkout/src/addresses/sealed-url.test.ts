/** The secrets of session addresses: nowhere in the database as text, and yet told again to the account. */
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { parseJson } from "@svc/kernel/values/json"
import { services } from "@svc/testkit/services"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { CheckoutSessions } from "../checkout-sessions/service/sessions.ts"
import { PortalSessions } from "../portal-sessions/service.ts"
import { sealAddresses } from "./seal-addresses.ts"
import { bareOf, opens, secretIn, withBareAddress, withWholeAddress } from "./sealed-url.ts"

const read = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String, url: Schema.String }))
const shownIn = ({ body }: { readonly body: string }) => read(parseJson(body))

/** The tables of which some row holds the text. */
const tablesWith = Effect.fnUntraced(function*(text: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`
  const found: Array<string> = []
  for (const { name } of tables) {
    const rows = yield* sql`SELECT 1 FROM ${sql(name)} t WHERE t::text LIKE ${`%${text}%`} LIMIT 1`
    if (rows.length > 0) found.push(name)
  }
  return found
})

const openAccount = Effect.flatMap(Accounts, ({ create }) => Effect.map(create({ name: "Acme", sandbox: true }), ({ account }) => account))
const keyOf = (operation: string) => ({ key: randomUUID(), operation, fingerprint: "0".repeat(64) })

/** One of each kind, made twice under the same key. */
const made = Effect.gen(function*() {
  const account = yield* openAccount
  const [checkout, portal] = [yield* CheckoutSessions, yield* PortalSessions]
  const [first, second] = [keyOf("checkout_session.create"), keyOf("portal_session.create")]
  const sell = checkout.create({ account, keyed: first, payload: { mode: "payment", amount: 1_999, currency: "USD" } })
  const look = portal.create(account, { customer_id: "customer-1" }, second)
  return {
    account,
    checkout: {
      replies: [yield* sell, yield* sell].map(shownIn),
      get: (id: string) => checkout.get(account.id, id),
      at: checkout.at,
      list: checkout.list(account.id, {}, { page: 1, per_page: 5 })
    },
    portal: {
      replies: [yield* look, yield* look].map(shownIn),
      get: (id: string) => portal.get(account.id, id),
      at: portal.at,
      list: portal.list(account.id, {}, { page: 1, per_page: 5 })
    }
  }
})

layer(services, { timeout: 60_000 })("the secret of an address", (it) => {
  it.effect("stands in no table as text, while each answer shows the address whole", () =>
    Effect.gen(function*() {
      const { account, checkout, portal } = yield* made
      // Events tell of both, and of their ends.
      const [paid, looked] = [checkout.replies[0] ?? assert.fail(), portal.replies[0] ?? assert.fail()]
      yield* (yield* CheckoutSessions).pay(yield* checkout.get(paid.id), {
        number: 1,
        payment_method_id: "tok_visa",
        customer_email: undefined,
        locale: null
      })
      yield* (yield* PortalSessions).revoke(account.id, looked.id)
      for (const { at, get, list, replies } of [checkout, portal]) {
        const [{ id, url } = assert.fail(), again] = replies
        const secret = secretIn(url)
        assert.match(secret, /^[0-9A-Za-z]{32}$/u)
        assert.deepStrictEqual(again, { id, url }, "a repeated request is answered with it, too")
        assert.strictEqual((yield* get(id)).url, url)
        assert.deepStrictEqual((yield* list).data.map((session) => session.url), [url])
        assert.strictEqual((yield* at(id, secret)).id, id)
        assert.deepStrictEqual(yield* tablesWith(secret), [])
        assert.isNotEmpty(yield* tablesWith(id), "the search finds what is there")
      }
    }))

  it.effect("of a session from before is sealed once the new version runs, and opens the same page before and after", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { checkout, portal } = yield* made
      for (
        const [table, { at, get, replies: [{ id, url } = assert.fail()] }] of [["checkout_sessions", checkout], [
          "portal_sessions",
          portal
        ]] as const
      ) {
        yield* sql`UPDATE ${sql(table)} SET url = ${url}, secret = NULL WHERE id = ${id}`
        assert.deepStrictEqual(yield* tablesWith(secretIn(url)), [table])
        const works = Effect.gen(function*() {
          assert.strictEqual((yield* at(id, secretIn(url))).id, id)
          assert.strictEqual((yield* get(id)).url, url)
        })
        yield* works
        yield* sealAddresses(table)
        assert.deepStrictEqual(yield* tablesWith(secretIn(url)), [])
        yield* works
        yield* sealAddresses(table)
        yield* works
      }
    }))

  it.effect("that no key opens, opens no page, and takes no list with it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { checkout: { at, list, replies: [{ id, url } = assert.fail()] } } = yield* made
      yield* sql`UPDATE checkout_sessions SET secret = jsonb_build_object('key', 'lost', 'box', 'AA') WHERE id = ${id}`
      assert.strictEqual((yield* Effect.flip(at(id, secretIn(url))))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(at(id, "")))._tag, "NotFound")
      assert.deepStrictEqual((yield* list).data.map((session) => session.url), [bareOf(url)])
    }))
})

describe("an address", () => {
  const url = "https://pay.example.com/checkout/cs_1/s3cret"
  test("loses its secret where it is stored, and has it again in the text of an answer", () => {
    const session = { id: "cs_1", url, success_url: "https://example.com/" }
    const wire = JSON.stringify(session)
    const stored = JSON.stringify(withBareAddress(session))
    assert.notInclude(stored, "s3cret")
    assert.strictEqual(withWholeAddress(stored, url), wire)
    assert.strictEqual(withWholeAddress(wire, url), wire, "one that is whole stays so")
  })
  test("opens with its secret alone", () => {
    assert.deepStrictEqual(["s3cret", "S3cret", "s3cre", "s3cret ", ""].map((given) => opens(url, given)), [
      true,
      false,
      false,
      false,
      false
    ])
    assert.isFalse(opens(bareOf(url), ""))
  })
})
