import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { PaginatedList } from "@svc/kernel/resource/pages"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { KnownScopes, roles, type SignedInPerson } from "../access/model.ts"
import { access } from "../access/roles.ts"
import { ApiKeys } from "../api-keys/service.ts"
import { type Answer, Client, layer as layerApi, open, operator, readError, reads } from "../fixture.ts"
import { Sessions } from "../sessions/service.ts"
import { Invitation, InvitationMade, Person } from "./model.ts"
import { joined, signedIn } from "./people.fixture.ts"
import { People } from "./service.ts"

const known = new Set(Object.keys(access).flatMap((resource) => [`${resource}:read`, `${resource}:write`]))
const services = layerApi.pipe(
  Layer.provide(Layer.succeed(KnownScopes, known)),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(layerDatabase)
)

const readMade = reads(InvitationMade)
const readPerson = reads(Person)
const readPeople = reads(PaginatedList(Person, "PersonList"))
const readInvitation = reads(Invitation)
const refusalOf = (answer: Answer) => [answer.status, readError(answer).error]
/** The secret that a link ends with. */
const secretIn = (answer: Answer) => Redacted.value(readMade(answer).link).split("/").at(-1) ?? ""
const nobody = { name: "Eve", email: null }

/** An account, and how its key and its people ask. */
const merchant = Effect.gen(function*() {
  const { send } = yield* Client
  const { account, key } = yield* open
  return {
    account: account.id,
    invite: (body: object) => send("POST", "/v1/invitations", { key: key.secret, body }),
    byKey: (method: string, path: string, body?: object) => send(method, `/v1${path}`, { key: key.secret, body }),
    by: (person: SignedInPerson, path: string, body?: object) => send("POST", `/v1/people${path}`, { person, body })
  }
})

layer(services)("people", (it) => {
  it.effect("join by a link, once, while it works, and of many at once one", () =>
    Effect.gen(function*() {
      const people = yield* People
      const { byKey, invite } = yield* merchant
      const made = yield* invite({ role: "support" })
      assert.strictEqual(made.status, 201)
      assert.match(Redacted.value(readMade(made).link), /\/desk\/join\/join_\w{32}$/u)
      const id = yield* people.join(secretIn(made), { name: "Ada", email: null })
      assert.strictEqual((yield* Effect.flip(people.join(secretIn(made), nobody)))._tag, "NotFound", "replayed")
      assert.deepInclude(readPerson(yield* byKey("GET", `/people/${id}`)), { id, name: "Ada", role: "support", version: 1 })
      const listed = yield* byKey("GET", "/invitations")
      assert.notInclude(listed.text, secretIn(made))
      assert.isNotNull(readInvitation(yield* byKey("GET", `/invitations/${readMade(made).id}`)).used_at)

      const [late, revoked, mailed] = [
        yield* invite({ role: "owner" }),
        yield* invite({ role: "owner" }),
        yield* invite({ role: "owner", email: "Eve@Example.com" })
      ]
      assert.isFalse(readMade(mailed).mailed, "nobody has told this installation how to send mail")
      yield* byKey("POST", `/invitations/${readMade(revoked).id}/revoke`)
      assert.strictEqual((yield* Effect.flip(people.join(secretIn(revoked), nobody)))._tag, "NotFound")
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Effect.flip(people.join(secretIn(late), nobody)))._tag, "NotFound")
      const tries = yield* Effect.all(
        Array.from({ length: 6 }, () => Effect.exit(people.join(secretIn(mailed), { name: "Eve", email: "other@example.com" }))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(tries.filter(({ _tag }) => _tag === "Success"), 1)
      assert.deepInclude(readPeople(yield* byKey("GET", "/people")).data[0], { email: "eve@example.com", role: "owner" })
    }))

  it.effect("who are known join another account as themselves, and a stolen link makes nobody them", () =>
    Effect.gen(function*() {
      const [people, sessions] = [yield* People, yield* Sessions]
      const [mine, thieves] = [yield* merchant, yield* merchant]
      const known = yield* people.join(secretIn(yield* mine.invite({ role: "owner", email: "ada@acme.example" })), nobody)
      const stolen = secretIn(yield* thieves.invite({ role: "viewer", email: "ada@acme.example" }))
      const thief = yield* people.join(stolen, { name: "Thief", email: null })
      assert.notStrictEqual(thief, known)
      assert.lengthOf(yield* sessions.memberships(known), 1)
      // Who says first that an address is theirs keeps nobody out, and what one account calls somebody no other account reads.
      const theirs = yield* thieves.invite({ role: "viewer", email: "ada@other.example" })
      assert.strictEqual((yield* people.joinAs(secretIn(theirs), known)).role, "viewer")
      assert.lengthOf(yield* sessions.memberships(known), 2)
      const addresses = readPeople(yield* thieves.byKey("GET", "/people")).data.map(({ email, id }) => [id, email])
      assert.sameDeepMembers(addresses, [[thief, "ada@acme.example"], [known, "ada@other.example"]])
      const again = secretIn(yield* thieves.invite({ role: "owner" }))
      assert.strictEqual((yield* Effect.flip(people.joinAs(again, known)))._tag, "InvalidState", "a link changes no role")
      assert.strictEqual((yield* people.invitation(again)).used_at, null, "and is not used up by it")
    }))

  it.effect("nobody gives, changes or takes a role that reaches further than their own", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account } = yield* merchant
      const owner = yield* joined(account, "owner")
      for (const role of roles.filter((role) => role !== "owner")) {
        const { session: { person } } = yield* signedIn(account, role)
        const refused = yield* send("POST", "/v1/invitations", { person, body: { role: "viewer" } })
        assert.deepStrictEqual(refusalOf(refused), [403, "forbidden"], role)
        assert.include(readError(refused).message, `Your role, ${role}, lacks the scope people:write`)
      }
      const scopes = ["people:write", ...Array.from(known).filter((scope) => scope.endsWith(":read"))]
      const { secret } = yield* (yield* ApiKeys).issue({ accountId: account, kind: "restricted", name: "Desk", scopes })
      const ask = (path: string, body?: object) => Effect.map(send("POST", `/v1${path}`, { key: secret, body }), ({ status }) => status)
      assert.strictEqual(yield* ask("/invitations", { role: "owner" }), 403)
      assert.strictEqual(yield* ask("/invitations", { role: "finance" }), 403)
      assert.strictEqual(yield* ask(`/people/${owner}/change_role`, { role: "viewer" }), 403)
      assert.strictEqual(yield* ask(`/people/${owner}/remove`), 403)
    }))

  it.effect("the last owner can neither be removed nor demoted nor leave, also where two do it at once", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const sql = yield* SqlClient.SqlClient
      const key = yield* operator
      for (const place of [yield* Effect.map(merchant, ({ account }) => account), null]) {
        const path = place === null ? "/v1/installation/people" : "/v1/people"
        const ask = (person: SignedInPerson, of: string, act: string, body?: object) =>
          Effect.map(send("POST", `${path}/${of}/${act}`, { person, body }), ({ status }) => status)
        for (let round = 0; round < 4; round++) {
          const [one, other] = [yield* signedIn(place, "owner"), yield* signedIn(place, "owner")]
          // Those of the round before.
          yield* sql`DELETE FROM members WHERE account_id IS NOT DISTINCT FROM ${place} AND user_id NOT IN (${one.id}, ${other.id})`
          const statuses = yield* Effect.all([
            ask(one.session.person, other.id, round % 2 === 0 ? "remove" : "change_role", round % 2 === 0 ? undefined : { role: "viewer" }),
            ask(other.session.person, one.id, "change_role", { role: "developer" })
          ], { concurrency: 2 })
          assert.sameMembers(statuses, [200, 403])
          const [left] = statuses[0] === 200 ? [one] : [other]
          assert.strictEqual(yield* ask(left.session.person, left.id, "remove"), 409)
          assert.strictEqual(yield* ask(left.session.person, left.id, "change_role", { role: "finance" }), 409)
          assert.strictEqual(yield* ask(left.session.person, left.id, "change_role", { role: "owner" }), 200)
          if (place === null) assert.strictEqual((yield* send("POST", `${path}/${left.id}/remove`, { key })).status, 409, "nor by a key")
        }
      }
    }))

  it.effect("who lose their role or get another are signed out there at once, and a change is made of what was read", () =>
    Effect.gen(function*() {
      const { find } = yield* Sessions
      const { send } = yield* Client
      const { account, by, byKey } = yield* merchant
      const { session: { person } } = yield* signedIn(account, "owner")
      const [demoted, removed] = [yield* signedIn(account, "finance"), yield* signedIn(account, "support")]
      const changed = readPerson(yield* by(person, `/${demoted.id}/change_role`, { role: "viewer" }))
      assert.deepInclude(changed, { role: "viewer", version: 2 })
      assert.isUndefined(yield* find(demoted.secret))
      const stale = yield* send("POST", `/v1/people/${demoted.id}/change_role`, {
        person,
        body: { role: "owner" },
        headers: { "if-match": "1" }
      })
      assert.deepStrictEqual(refusalOf(stale), [409, "version_conflict"])
      assert.strictEqual((yield* by(person, `/${removed.id}/remove`)).status, 200)
      assert.isUndefined(yield* find(removed.secret))
      assert.strictEqual((yield* byKey("GET", `/people/${removed.id}`)).status, 404)
      const [entry] = yield* (yield* SqlClient.SqlClient)`SELECT actor_type, actor_id FROM audit_log
        WHERE action = 'person.deleted' AND resource_id = ${removed.id}`
      assert.deepStrictEqual(entry, { actor_type: "person", actor_id: person.id })
    }))

  it.effect("prove who they are before they give power, and keys are never asked", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const sessions = yield* Sessions
      const { account, byKey, invite } = yield* merchant
      const { session } = yield* signedIn(account, "owner")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* send("POST", "/v1/invitations", { person: session.person, body: { role: "viewer" } })).status, 201)
      yield* TestClock.adjust("1 second")
      for (
        const [path, body] of [
          ["/v1/invitations", { role: "viewer" }],
          ["/v1/api_keys", { name: "Mine", kind: "secret" }],
          ["/v1/agent_keys", { name: "Agent" }]
        ] as const
      ) {
        const asked = yield* send("POST", path, { person: session.person, body })
        assert.deepStrictEqual([...refusalOf(asked), readError(asked).details], [403, "confirmation_required", { within_minutes: 5 }], path)
      }
      assert.strictEqual((yield* send("GET", "/v1/people", { person: session.person })).status, 200, "reading is not asked")
      assert.strictEqual((yield* invite({ role: "viewer" })).status, 201)
      const fresh = yield* sessions.find(Redacted.value(yield* sessions.confirm(session)))
      const { person } = fresh ?? session
      assert.strictEqual(
        (yield* send("POST", "/v1/api_keys", { person, body: { name: "Mine", kind: "secret" } })).status,
        201
      )
      assert.strictEqual((yield* byKey("GET", "/people")).status, 200)
    }))

  it.effect("of the installation change something as its owners, and read with every other role what that role reads", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account } = yield* merchant
      const [owner, viewer] = [yield* signedIn(null, "owner"), yield* signedIn(null, "viewer")]
      const suspend = (person: SignedInPerson) =>
        Effect.map(send("POST", `/v1/accounts/${account}/suspend`, { person }), ({ status }) => status)
      assert.strictEqual(yield* suspend(viewer.session.person), 403)
      assert.strictEqual(yield* suspend(owner.session.person), 200)
      const read = (path: string) =>
        Effect.map(send("GET", `${path}?merchant_id=${account}`, { person: viewer.session.person }), ({ status }) => status)
      assert.strictEqual((yield* send("GET", "/v1/accounts", { person: viewer.session.person })).status, 200)
      assert.deepStrictEqual([yield* read("/v1/people"), yield* read("/v1/api_keys")], [200, 403])
    }))

  it.effect("the first owner has one link, that of the last start, and none once there is an owner", () =>
    Effect.gen(function*() {
      const people = yield* People
      const { account } = yield* merchant
      const [first, second] = [yield* people.inviteFirstOwner(account), yield* people.inviteFirstOwner(account)]
      const joining = (made: typeof first) => Effect.exit(people.join(made === undefined ? "" : Redacted.value(made.secret), nobody))
      assert.deepStrictEqual([(yield* joining(first))._tag, (yield* joining(second))._tag], ["Failure", "Success"])
      assert.isUndefined(yield* people.inviteFirstOwner(account))
    }))
})
