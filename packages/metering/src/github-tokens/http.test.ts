/** The token for GitHub over the wire: kept sealed, replaced, removed, and in no answer. */
import { assert, layer } from "@effect/vitest"
import { issueAgent, layer as tools, openCaller } from "@svc/testkit/agents/service"
import { send } from "@svc/testkit/contract/service"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { GithubTokens } from "./service.ts"

const PATH = "/v1/account/github-token"
const [first, second] = [`github_pat_${"a".repeat(30)}`, `ghp_${"B".repeat(36)}`]

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })("the token for GitHub", (it) => {
  it.effect("is kept sealed, for its account alone", () =>
    Effect.gen(function*() {
      const tokens = yield* GithubTokens
      const sql = yield* SqlClient.SqlClient
      const [mine, other] = [yield* openCaller("mine"), yield* openCaller("other")]
      const stored = yield* send("POST", PATH, { key: mine.key, body: { token: first } })
      assert.deepStrictEqual([stored.status, stored.text], [204, ""])
      assert.strictEqual(Redacted.value((yield* tokens.find(mine.id)) ?? Redacted.make("")), first)
      assert.isUndefined(yield* tokens.find(other.id))
      const rows = yield* sql`SELECT t::text AS row FROM github_tokens t`
      assert.notInclude(JSON.stringify(rows), first)
      yield* send("POST", PATH, { key: mine.key, body: { token: second } })
      assert.strictEqual(Redacted.value((yield* tokens.find(mine.id)) ?? Redacted.make("")), second)
      // A box that is copied to another row does not open.
      yield* sql`INSERT INTO github_tokens SELECT ${other.id}, token, updated_at FROM github_tokens WHERE id = ${mine.id}`
      assert.strictEqual((yield* Effect.exit(tokens.find(other.id)))._tag, "Failure")
      for (const _ of [1, 2]) assert.strictEqual((yield* send("DELETE", PATH, { key: mine.key })).status, 204)
      assert.isUndefined(yield* tokens.find(mine.id))
      for (const path of ["/v1/account", "/v1/usage"]) assert.notInclude((yield* send("GET", path, { key: mine.key })).text, second)
    }))

  it.effect("is taken from the account's own key, and only where it is one; a refusal does not repeat it", () =>
    Effect.gen(function*() {
      const mine = yield* openCaller("mine")
      const agent = yield* issueAgent(mine, {})
      assert.strictEqual((yield* send("POST", PATH, { body: { token: first } })).status, 401)
      for (const method of ["POST", "DELETE"]) {
        const answer = yield* send(method, PATH, { key: agent.token, ...(method === "POST" ? { body: { token: first } } : {}) })
        assert.strictEqual(answer.status, 403, answer.text)
      }
      for (const token of ["short", `${first} `, "a".repeat(256), 7]) {
        const { status, text } = yield* send("POST", PATH, { key: mine.key, body: { token } })
        assert.strictEqual(status, 400, text)
        if (token !== 7) assert.notInclude(text, String(token))
      }
      assert.isUndefined(yield* (yield* GithubTokens).find(mine.id))
    }))
})
