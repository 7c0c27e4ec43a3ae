/** Lists, details and forms of the desk over a real database, as a browser without scripts uses them. */
import { assert, layer } from "@effect/vitest"
import type { Role } from "@svc/accounts/access/model"
import * as service from "@svc/testkit/contract/service"
import { openWithPayouts } from "@svc/testkit/desk/payouts"
import { formHeaders, sendForm, type SignedIn, signedIn } from "@svc/testkit/desk/people"
import { Effect } from "effect"

const { must, send } = service

/** A page as somebody sees it. */
const see = (person: Pick<SignedIn, "cookie">, target: string, cookies = "") =>
  send("GET", target, { headers: { cookie: `${person.cookie}${cookies}` } })

const matched = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""

const hidden = (text: string, name: string): string => matched(text, new RegExp(`name="${name}" value="([^"]*)"`, "u"))

/** Sends the form that stands on a page, with these fields filled in. */
const fill = Effect.fnUntraced(function*(person: SignedIn, target: string, fields: Readonly<Record<string, string>>, shown?: string) {
  const text = shown ?? (yield* see(person, target)).text
  const sent = new URLSearchParams({
    token: hidden(text, "token"),
    idempotency_key: hidden(text, "idempotency_key"),
    version: hidden(text, "version"),
    ...fields
  })
  return yield* sendForm(target, formHeaders(person), sent.toString())
})

const amountsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/class="num">\$([\d.]+)</gu), ([, amount = ""]) => amount)

const statusOf = (key: string, id: string) => Effect.map(must("GET", `/v1/payouts/${id}`, { key }), ({ status }) => status)

layer(service.layer, { excludeTestServices: true, timeout: "60 seconds" })("the views of the desk", (it) => {
  it.effect("list what there is, newest first, and lead to older rows and back", () =>
    Effect.gen(function*() {
      const { id } = yield* openWithPayouts(27)
      const person = yield* signedIn(id, "viewer")
      const first = yield* see(person, "/desk/payouts")
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual([amountsIn(first.text).length, amountsIn(first.text)[0]], [25, "10.26"])
      assert.notInclude(first.text, "rel=\"prev\"")
      const older = yield* see(person, matched(first.text, /rel="next" href="([^"]+)"/u))
      assert.deepStrictEqual(amountsIn(older.text), ["10.01", "10.00"])
      assert.notInclude(older.text, "rel=\"next\"")
      const newer = yield* see(person, matched(older.text, /rel="prev" href="([^"]+)"/u))
      assert.deepStrictEqual(amountsIn(newer.text), amountsIn(first.text))
      assert.include(newer.text, "rel=\"next\"")
    }))

  it.effect("keep filters in the address, read times as UTC, and say which filter is wrong", () =>
    Effect.gen(function*() {
      const { id, key, payouts } = yield* openWithPayouts(3)
      yield* must("POST", `/v1/payouts/${payouts[0]}/cancel`, { key, body: { idempotency_key: payouts[0] } })
      const person = yield* signedIn(id, "viewer")
      const cancelled = yield* see(person, "/desk/payouts?status=cancelled")
      assert.deepStrictEqual(amountsIn(cancelled.text), ["10.00"])
      assert.include(cancelled.text, "<option value=\"cancelled\" selected>Cancelled</option>")
      const later = yield* see(person, "/desk/payouts?created_at%5Bgte%5D=2100-01-01T00:00")
      assert.include(later.text, "Nothing matches these filters.")
      assert.include(later.text, "value=\"2100-01-01T00:00\"")
      const earlier = yield* see(person, "/desk/payouts?created_at%5Blt%5D=2100-01-01T00:00")
      assert.strictEqual(amountsIn(earlier.text).length, 3)
      const wrong = yield* see(person, "/desk/payouts?created_at%5Bgte%5D=soon&unknown=1")
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "role=\"alert\"")
    }))

  it.effect("show one with its facts, and what its state and the person's role allow", () =>
    Effect.gen(function*() {
      const { id, key, payouts: [payout = ""] } = yield* openWithPayouts(1)
      const people = { owner: yield* signedIn(id, "owner"), finance: yield* signedIn(id, "finance"), viewer: yield* signedIn(id, "viewer") }
      const target = `/desk/payouts/${payout}`
      const mayCancel = (role: keyof typeof people) => Effect.map(see(people[role], target), ({ text }) => text.includes("do/cancel"))
      assert.deepStrictEqual([yield* mayCancel("owner"), yield* mayCancel("finance"), yield* mayCancel("viewer")], [true, true, false])
      const page = yield* see(people.owner, target)
      assert.include(page.text, "UTC</time>")
      yield* must("POST", `/v1/payouts/${payout}/cancel`, { key, body: { idempotency_key: payout } })
      assert.isFalse(yield* mayCancel("owner"))
      assert.strictEqual((yield* see(people.owner, `${target}/do/cancel`)).status, 409)
      assert.strictEqual((yield* see(people.owner, `${target.slice(0, -1)}`)).status, 404)
      assert.strictEqual((yield* see(people.owner, "/desk/nothing")).status, 404)
    }))

  it.effect("do an act once, however often its form is sent, and say on the next page alone that it is done", () =>
    Effect.gen(function*() {
      const { destination_id, id, key } = yield* openWithPayouts(0)
      const person = yield* signedIn(id, "finance")
      const target = "/desk/payouts/do/create"
      const { text } = yield* see(person, target)
      const fields = { amount: "12,50", currency: "USD", destination_id }
      const [one, other] = yield* Effect.all([fill(person, target, fields, text), fill(person, target, fields, text)], { concurrency: 2 })
      const again = yield* fill(person, target, fields, text)
      assert.deepStrictEqual([again.status, other.status === 303 || other.status === 409, one.status === 303 || one.status === 409], [
        303,
        true,
        true
      ])
      const { data } = yield* must("GET", "/v1/payouts", { key })
      assert.strictEqual(Array.isArray(data) ? data.length : 0, 1)
      const next = yield* see(person, again.headers["location"] ?? "", "; desk-done=payouts.create")
      assert.include(next.text, "Create payout: done.")
      assert.match(String(next.headers["set-cookie"]), /desk-done=;/u)
      assert.notInclude((yield* see(person, again.headers["location"] ?? "")).text, ": done.")
      assert.notInclude((yield* see(person, "/desk", "; desk-done=<b>.x")).text, "<b>")
    }))

  it.effect("tell what is wrong with a form at its fields, and keep what was written", () =>
    Effect.gen(function*() {
      const { destination_id, id } = yield* openWithPayouts(0)
      const person = yield* signedIn(id, "finance")
      const wrong = yield* fill(person, "/desk/payouts/do/create", { amount: "much", currency: "USD", destination_id })
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.text, /id="f-amount-error">[^<]+</u)
      assert.match(wrong.text, /value="much"/u)
      const tooMuch = yield* fill(person, "/desk/payouts/do/create", { amount: "1000000", currency: "USD", destination_id })
      assert.isAtLeast(tooMuch.status, 400)
      assert.include(tooMuch.text, "role=\"alert\"")
    }))

  it.effect("refuse a form that was read before somebody else changed what it is about", () =>
    Effect.gen(function*() {
      const { id, key, payouts: [payout = ""] } = yield* openWithPayouts(1)
      const person = yield* signedIn(id, "owner")
      const target = `/desk/payouts/${payout}/do/cancel`
      const { text } = yield* see(person, target)
      assert.strictEqual(hidden(text, "version"), "1")
      const stale = yield* fill(person, target, { version: "7" }, text)
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "It was changed meanwhile")
      assert.strictEqual(yield* statusOf(key, payout), "pending")
      assert.strictEqual((yield* fill(person, target, {}, stale.text)).status, 303)
      assert.strictEqual(yield* statusOf(key, payout), "cancelled")
    }))

  it.effect("say who may where a role may not", () =>
    Effect.gen(function*() {
      const { destination_id, id } = yield* openWithPayouts(0)
      const roles: ReadonlyArray<Role> = ["viewer", "developer"]
      for (const role of roles) {
        const person = yield* signedIn(id, role)
        const refused = yield* fill(person, "/desk/payouts/do/create", { amount: "1", currency: "USD", destination_id })
        assert.strictEqual(refused.status, 403)
        assert.include(refused.text, "Owner, Finance")
      }
    }))
})
