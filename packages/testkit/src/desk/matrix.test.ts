/** Each role, each view, each action: the desk opens what the API opens to a key with the same scopes, and refuses what that is refused. */
import { assert, layer } from "@effect/vitest"
import { type Role, roles } from "@svc/accounts/access/model"
import { scopesOf } from "@svc/accounts/access/roles"
import { type EndpointFacts, endpointOf, pathFor } from "@svc/desk/api/endpoints"
import { actionAddress, keyIn } from "@svc/desk/pages/addresses"
import { views } from "@svc/desk/views/all"
import type { View } from "@svc/kernel/resource/view"
import { catalog } from "@svc/server/catalog"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Resources, Row } from "../contract/positions.ts"
import { makeResources } from "../contract/resources.ts"
import { layer as service, restrictedKey, send } from "../contract/service.ts"
import { formHeaders, sendForm, signedIn } from "./people.ts"

const FORBIDDEN = 403

const ofAccounts = views.filter((view) => endpointOf(view, view.list).realm === "account")

/** A second look is a person's: a key with the same scope is refused. */
const ofPeopleAlone: ReadonlySet<string> = new Set(["second_looks"])

/** A resource of the view, where the account has one. */
const rowOf = ({ made }: Resources, view: View): Row | undefined => made.get(endpointOf(view, view.list).path)?.row

/** A reader at the desk, and one with a key of the same scopes. */
const readersOf = Effect.fnUntraced(function*({ merchant }: Resources, role: Role) {
  const person = yield* signedIn(merchant.id, role)
  const key = role === "owner" ? merchant.key : yield* restrictedKey(merchant, Array.from(scopesOf(role, catalog.scopes)))
  const look = (path: string) => Effect.map(send("GET", path, { headers: { cookie: person.cookie } }), ({ status }) => status)
  const act = (path: string) =>
    Effect.map(sendForm(path, formHeaders(person), new URLSearchParams({ token: person.token }).toString()), ({ status }) => status)
  const ask = ({ method, path }: EndpointFacts, id: string) =>
    Effect.map(
      send(method, pathFor(path, id, {}), {
        key,
        ...(method === "GET" || method === "DELETE" ? {} : { body: {}, headers: { "Idempotency-Key": randomUUID() } })
      }),
      ({ status }) => status
    )
  return { look, act, ask }
})

/** What a role may do: each list, and each action with one resource of its kind or with none. */
const compared = Effect.fnUntraced(function*(resources: Resources, role: Role) {
  const { act, ask, look } = yield* readersOf(resources, role)
  const differing: Array<string> = []
  let refused = 0
  const compare = (what: string, desk: number, api: number) => {
    if (api === FORBIDDEN) refused++
    if ((desk === FORBIDDEN) !== (api === FORBIDDEN)) differing.push(`${role} ${what}: desk ${desk}, API ${api}`)
  }
  for (const view of ofAccounts) {
    if (view.single !== true) compare(`/desk/${view.name}`, yield* look(`/desk/${view.name}`), yield* ask(endpointOf(view, view.list), ""))
    const row = rowOf(resources, view)
    for (const { endpoint, on } of view.actions) {
      const facts = endpointOf(view, endpoint)
      if (
        ofPeopleAlone.has(view.name) || facts.realm !== "account" || facts.method === "GET" ||
        (on === "one" && view.single !== true && row === undefined)
      ) continue
      const of = on === "one" ? row : undefined
      const address = actionAddress(view, endpoint, of)
      compare(address, yield* act(address), yield* ask(facts, of === undefined ? "" : keyIn(view, of)))
    }
  }
  return { differing, refused }
})

layer(service, { excludeTestServices: true, timeout: "120 seconds" })("what the desk lets people do", (it) => {
  it.effect("is what the API lets a key with the scopes of each role", () =>
    Effect.gen(function*() {
      const resources = yield* makeResources("desk-roles")
      // The owner last, who changes what the others were refused to.
      for (const role of roles.toReversed()) {
        const { differing, refused } = yield* compared(resources, role)
        assert.deepStrictEqual(differing, [])
        if (role === "owner") assert.strictEqual(refused, 0)
        else assert.isAbove(refused, 3, role)
      }
    }), 180_000)

  it.effect("shows no resource of another account, and nothing of it", () =>
    Effect.gen(function*() {
      const [own, other] = [yield* makeResources("desk-own"), yield* makeResources("desk-other")]
      const { look } = yield* readersOf(own, "owner")
      for (const view of ofAccounts) {
        const row = rowOf(other, view)
        if (view.get === undefined || view.single === true || row === undefined) continue
        const status = yield* look(`/desk/${view.name}/${encodeURIComponent(keyIn(view, row))}`)
        assert.strictEqual(status, 404, view.name)
      }
    }), 180_000)
})
