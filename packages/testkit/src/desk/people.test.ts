/** Pages of the desk for people signed in: their session, their forms, and nobody else's. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as service from "../contract/service.ts"
import { formHeaders, sendForm, signedIn } from "./people.ts"

layer(service.layer, { excludeTestServices: true, timeout: "60 seconds" })("a person signed in", (it) => {
  it.effect("sees the desk with their cookie, and without it nothing", () =>
    Effect.gen(function*() {
      const { id } = yield* service.openMerchant("Nordlicht Keramik")
      const person = yield* signedIn(id, "viewer", "Ada Berg")
      const seen = yield* service.send("GET", "/desk", { headers: { cookie: person.cookie } })
      assert.strictEqual(seen.status, 200)
      assert.include(seen.text, "Nordlicht Keramik")
      assert.notInclude((yield* service.send("GET", "/desk")).text, "Nordlicht Keramik")
    }))

  it.effect("sends a form with the token of their session, and no other", () =>
    Effect.gen(function*() {
      const { id } = yield* service.openMerchant("Nordlicht Keramik")
      const [person, other] = [yield* signedIn(id, "viewer"), yield* signedIn(id, "owner")]
      const signOut = (headers: Readonly<Record<string, string>>, token: string) => sendForm("/desk/sign-out", headers, `token=${token}`)
      assert.strictEqual((yield* signOut(formHeaders(person), other.token)).status, 403)
      assert.strictEqual((yield* signOut({ ...formHeaders(person), "sec-fetch-site": "cross-site" }, person.token)).status, 403)
      assert.strictEqual((yield* service.send("GET", "/desk", { headers: { cookie: person.cookie } })).status, 200)
      assert.isBelow((yield* signOut(formHeaders(person), person.token)).status, 400)
      assert.notInclude((yield* service.send("GET", "/desk", { headers: { cookie: person.cookie } })).text, "Nordlicht Keramik")
    }))

  it.effect("invites somebody by a link that is shown once, and joins another account as who they are", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* service.openMerchant("Nordlicht Keramik"), yield* service.openMerchant("Nordlicht Studio")]
      const [owner, guest] = [yield* signedIn(one.id, "owner"), yield* signedIn(other.id, "viewer", "Eva Lund")]
      const invite = (person: typeof owner) => sendForm("/desk/people/do/invite", formHeaders(person), `token=${person.token}&role=support`)
      assert.strictEqual((yield* invite(guest)).status, 403)
      const link = /http:\/\/svc\.test(\/desk\/join\/join_\w+)/u.exec((yield* invite(owner)).text)?.[1] ?? ""

      assert.include((yield* service.send("GET", link, { headers: { cookie: guest.cookie } })).text, "Join as Eva Lund")
      assert.strictEqual((yield* sendForm(`${link}/as`, formHeaders(guest), `token=${owner.token}`)).status, 403)
      const joined = yield* sendForm(`${link}/as`, formHeaders(guest), `token=${guest.token}`)
      assert.strictEqual(joined.status, 303)
      const moved = /desk=\w+/u.exec(joined.headers["set-cookie"] ?? "")?.[0] ?? ""
      assert.include((yield* service.send("GET", "/desk/you", { headers: { cookie: moved } })).text, "Nordlicht Keramik")
      // The session of the other account ended with that, and the link with its use.
      assert.strictEqual((yield* service.send("GET", "/desk/you", { headers: { cookie: guest.cookie } })).status, 303)
      assert.strictEqual((yield* service.send("GET", link)).status, 404)
    }))

  it.effect("is led to sign in and back to pages of the desk alone, by a form that no other site can send", () =>
    Effect.gen(function*() {
      const { id } = yield* service.openMerchant("Nordlicht Keramik")
      const person = yield* signedIn(id, "owner")
      const led = yield* service.send("GET", "/desk/payouts?status=failed")
      assert.strictEqual(led.headers["location"], `/desk/sign-in?${new URLSearchParams({ to: "/desk/payouts?status=failed" }).toString()}`)
      for (
        const to of [
          "https://evil.example/desk",
          "//evil.example/desk",
          "/\\evil.example/desk",
          "/desk/../v1/account",
          "/deskevil",
          "javascript:alert(1)"
        ]
      ) {
        const back = yield* service.send("GET", `/desk/sign-in?${new URLSearchParams({ to }).toString()}`, {
          headers: { cookie: person.cookie }
        })
        assert.strictEqual(back.headers["location"], "/desk", to)
      }
      const types = { "content-type": "application/x-www-form-urlencoded" }
      for (const headers of [types, { ...types, "sec-fetch-site": "cross-site" }, { ...types, origin: "https://evil.example" }]) {
        assert.strictEqual((yield* sendForm("/desk/sign-in/options", headers, "")).status, 403)
        assert.strictEqual((yield* sendForm("/desk/sign-in", headers, "credential={}")).status, 403)
      }
      assert.strictEqual((yield* sendForm("/desk/you/account", { ...types, cookie: person.cookie }, `token=${person.token}`)).status, 403)
      assert.strictEqual((yield* sendForm("/desk/you/account", formHeaders(person), "")).status, 403)
      assert.strictEqual(
        (yield* sendForm("/desk/confirm", formHeaders(person), `token=${person.token}&credential={}&to=//evil.example`)).status,
        403
      )
    }))
})
