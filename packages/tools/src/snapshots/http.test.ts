/** Snapshots over the wire: by the tools, and by the routes beside them. */
import { assert, layer } from "@effect/vitest"
import type { ApiKeyScope } from "@svc/accounts/access/model"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { ANONYMOUS } from "@svc/stores/snapshots/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { issueAgent, layer as tools, openCaller } from "@svc/testkit/agents/service"
import { jsonOf, send } from "@svc/testkit/contract/service"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { createPublicKey, hash, randomUUID, verify } from "node:crypto"
import { buffer } from "node:stream/consumers"
import { deflateRawSync } from "node:zlib"

/** As the intake masks it, at equal length. */
const MASKED = "const card = \"4242********4242\"\n"

const snapshotOf = Effect.fnUntraced(function*(account: string) {
  const store = yield* SnapshotStore
  const id = yield* store.begin({
    by: account === ANONYMOUS ? { network: randomUUID() } : { account, perMonth: 100 },
    description: { project_name: "shop" }
  })
  const text = "Run npm test.\n"
  yield* store.complete(account, id, {
    files: [{ path: "src/card.ts", sha256: hash("sha256", MASKED), bytes: 32, lines: 2, deflated: deflateRawSync(MASKED) }],
    artifacts: [{
      path: "AGENTS.md",
      program: "skills",
      free: true,
      evidence: "cited",
      bytes: text.length,
      sha256: hash("sha256", text),
      text,
      citations: [{ at: 1, path: "src/card.ts", start_line: 1, end_line: 1 }]
    }],
    programs: ["skills"],
    skipped: { count: 0, files: [] }
  })
  return id
})

const [STATEMENT, ENVELOPE] = ["packaging/attestation/attestation.json", "packaging/attestation/attestation.dsse.json"]

/** One with a script and the statement of a bundle. */
const bundled = Effect.fnUntraced(function*(account: string) {
  const id = yield* snapshotOf(account)
  yield* (yield* SnapshotStore).addArtifacts(
    account,
    id,
    [["verify.sh", "superpowers", "#!/bin/sh\nexit 0\n\n"], [STATEMENT, "closer", `{"name":"Café"}\n`]].map((
      [path = "", program = "", text = ""]
    ) => ({
      path,
      program,
      free: false,
      evidence: "cited",
      bytes: Buffer.byteLength(text),
      sha256: hash("sha256", text),
      text,
      citations: []
    }))
  )
  return id
})

const download = Effect.fnUntraced(function*(path: string, key: string) {
  const url = `${HttpServer.formatAddress((yield* HttpServer.HttpServer).address)}${path}`
  return yield* Effect.promise(async () => {
    const { body, headers, status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    return { status, headers, bytes: body === null ? Buffer.alloc(0) : await buffer(body) }
  })
})

/** Bytes of each file. */
const sizes = (bundle: Buffer): ReadonlyMap<string, number> => {
  const listing = execFileSync("tar", ["--list", "--verbose", "--gzip", "--file", "-"], { input: bundle, encoding: "utf8" })
  return new Map(listing.trim().split("\n").map((line) => line.split(/ +/u)).map((parts) => [parts[5] ?? "", Number(parts[2])]))
}

const call = (key: string | undefined, name: string, args: object) =>
  Effect.map(
    send("POST", "/mcp", { key, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } } }),
    ({ text }) => JSON.parse(text).result
  )

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })("snapshots on the tool server", (it) => {
  it.effect("are read in parts with their citations, and as they were kept: masked", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openCaller("mine")
      const snapshot_id = yield* snapshotOf(account)
      const { structuredContent: shown } = yield* call(key, "get_snapshot", { snapshot_id })
      assert.deepInclude(shown, { snapshot_id, status: "completed", artifact_count: 1, content_discarded_at: null })
      const { structuredContent: part } = yield* call(key, "get_artifact", { snapshot_id, path: "AGENTS.md", limit: 3 })
      assert.deepInclude(part, { text: "Run", next_offset: 3, total_characters: 14 })
      assert.deepStrictEqual(part.citations, [{ at: 1, path: "src/card.ts", start_line: 1, end_line: 1 }])
      for (const [path, code] of [["/etc/passwd", "invalid_path"], ["a\0", "invalid_path"], ["CLAUDE.md", "artifact_not_found"]]) {
        const { isError, structuredContent } = yield* call(key, "get_artifact", { snapshot_id, path })
        assert.deepStrictEqual([isError, structuredContent.error.code], [true, code])
      }
      const found = jsonOf(yield* send("GET", `/v1/snapshots/${snapshot_id}/search?q=CARD`, { key }))
      assert.deepStrictEqual(found["hits"], [{ source: "content", path: "src/card.ts", line: 1, text: MASKED.trim(), words: 1 }])
    }))

  it.effect("of others, of none and of no shape are refused in the same bytes, whoever asks", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* openCaller("mine"), yield* openCaller("theirs")]
      const agent = yield* issueAgent(theirs, {})
      const id = yield* snapshotOf(mine.id)
      const ids = [id, `snap_${"0".repeat(26)}`, "snap_1", "no-snapshot", `${id}x`]
      for (const key of [theirs.key, agent.token, undefined]) {
        for (const [name, more] of [["get_snapshot", {}], ["get_artifact", { path: "AGENTS.md" }], ["delete_snapshot", {}]] as const) {
          const answers = yield* Effect.forEach(ids, (snapshot_id) => call(key, name, { snapshot_id, ...more }))
          assert.deepInclude(answers[0], { isError: true })
          assert.strictEqual(answers[0].structuredContent.error.code, "snapshot_not_found")
          assert.strictEqual(new Set(answers.map(({ content, structuredContent }) => JSON.stringify([content, structuredContent]))).size, 1)
        }
        for (const [method, path] of [["GET", "/search?q=card"], ["DELETE", ""]] as const) {
          const answers = yield* Effect.forEach(ids, (one) => send(method, `/v1/snapshots/${one}${path}`, { key }))
          const bodies = answers.map((answer) => {
            const { request_id: _, ...body } = jsonOf(answer)
            return JSON.stringify([answer.status, body])
          })
          assert.include(bodies[0], "snapshot_not_found")
          assert.strictEqual(new Set(bodies).size, 1, bodies.join("\n"))
        }
      }
      for (const one of ids) assert.strictEqual((yield* send("POST", `/v1/snapshots/${one}/discard`, { key: theirs.key })).status, 404)
      assert.strictEqual((yield* send("GET", `/v1/snapshots/${id}/search?q=card`, { key: mine.key })).status, 200)
    }))

  it.effect("of nobody are open to whoever knows the id", () =>
    Effect.gen(function*() {
      const { key } = yield* openCaller("mine")
      const id = yield* snapshotOf(ANONYMOUS)
      for (const one of [undefined, key]) {
        assert.strictEqual((yield* call(one, "get_snapshot", { snapshot_id: id })).isError, false)
        assert.strictEqual((yield* send("GET", `/v1/snapshots/${id}/search?q=card`, { key: one })).status, 200)
      }
      assert.strictEqual((yield* send("GET", `/v1/snapshots/${id}/search?q=card`, { key: "svck_test_nobody" })).status, 401)
      const deleted = yield* send("DELETE", `/v1/snapshots/${id}`)
      assert.deepStrictEqual([deleted.status, jsonOf(deleted)], [200, { snapshot_id: id, deleted: true }])
      assert.strictEqual((yield* call(key, "get_snapshot", { snapshot_id: id })).isError, true)
    }))

  it.effect("lose their source by discard, and all of them by the end of the session; nothing is charged", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openCaller("mine")
      const other = yield* openCaller("other")
      const agent = yield* issueAgent({ id: account }, {})
      const [one, two, theirs] = [yield* snapshotOf(account), yield* snapshotOf(account), yield* snapshotOf(other.id)]
      const searched = (id: string, by = key) =>
        Effect.map(send("GET", `/v1/snapshots/${id}/search?q=card`, { key: by }), ({ status }) => status)
      for (const [method, path] of [["POST", `/v1/snapshots/${one}/discard`], ["DELETE", "/v1/session"]] as const) {
        assert.strictEqual((yield* send(method, path)).status, 401)
        assert.strictEqual((yield* send(method, path, { key: agent.token })).status, 403)
      }
      assert.strictEqual((yield* send("POST", `/v1/snapshots/${one}/discard`, { key })).status, 204)
      assert.deepStrictEqual([yield* searched(one), yield* searched(two)], [409, 200])
      assert.include((yield* send("GET", `/v1/snapshots/${one}/search?q=card`, { key })).text, "content_discarded")
      assert.strictEqual((yield* send("DELETE", "/v1/session", { key })).status, 204)
      assert.deepStrictEqual([yield* searched(two), yield* searched(theirs, other.key)], [409, 200])
      const { structuredContent: shown } = yield* call(key, "get_snapshot", { snapshot_id: two })
      assert.match(shown.content_discarded_at, /^\d{4}-\d\d-\d\dT/u)
      assert.strictEqual(
        (yield* call(key, "get_artifact", { snapshot_id: two, path: "AGENTS.md" })).structuredContent.text,
        "Run npm test.\n"
      )
      assert.strictEqual((yield* send("DELETE", "/v1/session", { key })).status, 204)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM tool_calls WHERE account_id = ${account}`, [])
    }))

  it.effect("are searched by agents whose policy lets them read artifacts, with a query that is one", () =>
    Effect.gen(function*() {
      const mine = yield* openCaller("mine")
      const id = yield* snapshotOf(mine.id)
      const search = (key: string, q: string) => Effect.map(send("GET", `/v1/snapshots/${id}/search${q}`, { key }), ({ status }) => status)
      const [reads, pays] = [
        yield* issueAgent(mine, { allowed_tools: ["get_artifact"] }),
        yield* issueAgent(mine, { allowed_tools: ["get_quote"] })
      ]
      assert.deepStrictEqual([yield* search(reads.token, "?q=card"), yield* search(pays.token, "?q=card")], [200, 403])
      for (const wrong of ["", "?q=", `?q=${"a".repeat(201)}`]) assert.strictEqual(yield* search(mine.key, wrong), 400, wrong)
    }))

  it.effect("are given as a tarball of the same bytes each time, without time and owner, scripts to be run", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openCaller("mine")
      const id = yield* bundled(account)
      const first = yield* download(`/v1/snapshots/${id}/bundle.tar.gz`, key)
      assert.deepStrictEqual([first.status, first.headers.get("content-type")], [200, "application/gzip"])
      assert.include(first.headers.get("content-disposition") ?? "", `${id}.tar.gz`)
      // A tarball that says when it was made says another second now. A slow machine needs no longer wait.
      yield* Effect.sleep("1100 millis")
      assert.isTrue(first.bytes.equals((yield* download(`/v1/snapshots/${id}/bundle.tar.gz`, key)).bytes))
      // Neither a name nor a time (RFC 1952).
      assert.deepStrictEqual([...first.bytes.subarray(0, 8)], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0])
      const listing = execFileSync("tar", ["--list", "--verbose", "--numeric-owner", "--utc", "--gzip", "--file", "-"], {
        input: first.bytes,
        encoding: "utf8"
      })
      assert.deepStrictEqual(listing.trim().split("\n").map((line) => line.replace(/ +/gu, " ")), [
        ...["AGENTS.md", ENVELOPE, STATEMENT].map((path) => `-rw-r--r-- 0/0 ${sizes(first.bytes).get(path)} 1970-01-01 00:00 ${path}`),
        `-rwxr-xr-x 0/0 18 1970-01-01 00:00 verify.sh`
      ])
      const some = yield* download(`/v1/snapshots/${id}/bundle.tar.gz?program=closer`, key)
      assert.deepStrictEqual([...sizes(some.bytes).keys()], [ENVELOPE, STATEMENT])
      const none = yield* send("GET", `/v1/snapshots/${id}/bundle.tar.gz?program=deploy`, { key })
      assert.deepStrictEqual([none.status, jsonOf(none)["error"]], [404, "artifact_not_found"])
      assert.strictEqual((yield* send("GET", `/v1/snapshots/${id}/bundle.tar.gz?program=search`, { key })).status, 400)
    }))

  it.effect("are signed when they are delivered, by a key that others verify it with", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openCaller("mine")
      const id = yield* bundled(account)
      const { bytes } = yield* download(`/v1/snapshots/${id}/bundle.tar.gz`, key)
      const file = (path: string) =>
        execFileSync("tar", ["--extract", "--gzip", "--to-stdout", "--file", "-", path], { input: bytes, encoding: "utf8" })
      const { payload, payloadType, signatures: [signature] } = JSON.parse(file(ENVELOPE))
      assert.strictEqual(payloadType, "application/vnd.in-toto+json")
      assert.strictEqual(Buffer.from(payload, "base64").toString(), file(STATEMENT))
      const { keys } = JSON.parse((yield* send("GET", "/.well-known/jwks.json")).text)
      const jwk = keys.find(({ kid }: { readonly kid: string }) => kid === signature.keyid)
      const signed = (statement: string) => Buffer.from(`DSSEv1 28 ${payloadType} ${Buffer.byteLength(statement)} ${statement}`)
      const isGood = (statement: string) =>
        verify(null, signed(statement), createPublicKey({ key: jwk, format: "jwk" }), Buffer.from(signature.sig, "base64"))
      assert.deepStrictEqual([isGood(file(STATEMENT)), isGood(file(STATEMENT).replace("é", "e"))], [true, false])
    }))

  it.effect("are read by keys of the payments API that have the scope, and by agents that may read artifacts", () =>
    Effect.gen(function*() {
      const mine = yield* openCaller("mine")
      const id = yield* bundled(mine.id)
      const keyed = (scope: ApiKeyScope) =>
        Effect.map(
          Effect.flatMap(ApiKeys, ({ issue }) => issue({ accountId: mine.id, kind: "restricted", name: "Reader", scopes: [scope] })),
          ({ secret }) => Redacted.value(secret)
        )
      const [reads, other] = [yield* keyed("snapshots:read"), yield* keyed("ledger:read")]
      const agent = (allowed_tools: ReadonlyArray<string>) => Effect.map(issueAgent(mine, { allowed_tools }), ({ token }) => token)
      const [reader, maker] = [yield* agent(["get_artifact"]), yield* agent(["analyze_files"])]
      const asked = (method: "GET" | "POST", path: string) =>
        Effect.forEach(
          [reads, other, reader, maker],
          (key) => Effect.map(send(method, `/v1/snapshots/${id}${path}`, { key }), ({ status }) => status)
        )
      assert.deepStrictEqual(yield* asked("GET", "/bundle.tar.gz"), [200, 403, 200, 403])
      assert.deepStrictEqual(yield* asked("GET", "/search?q=card"), [200, 403, 200, 403])
      // Without such a program nothing runs, whether this machine has a wall or not.
      assert.deepStrictEqual(
        yield* asked("POST", "/programs/none"),
        yield* Effect.map(asked("POST", "/programs/none"), ([found]) => [found, 403, 403, found])
      )
      assert.deepStrictEqual(yield* asked("POST", "/discard"), [401, 401, 403, 403])
      const theirs = yield* openCaller("theirs")
      const secret = yield* Effect.flatMap(
        ApiKeys,
        ({ issue }) => issue({ accountId: theirs.id, kind: "secret", name: "Theirs", scopes: [] })
      )
      const foreign = yield* send("GET", `/v1/snapshots/${id}/bundle.tar.gz`, { key: Redacted.value(secret.secret) })
      assert.deepStrictEqual([foreign.status, jsonOf(foreign)["error"]], [404, "snapshot_not_found"])
    }))

  it.effect("answer with codes that are documented", () =>
    Effect.gen(function*() {
      const { data } = JSON.parse((yield* send("GET", "/v1/error-codes")).text)
      const rowOf = (wanted: string) => data.find(({ code }: { readonly code: string }) => code === wanted)
      for (
        const [code, status, retryable] of [["snapshot_not_found", 404, false], ["content_discarded", 409, false], [
          "store_busy",
          503,
          true
        ]] as const
      ) {
        assert.deepInclude(rowOf(code), { status, retryable })
      }
    }))

  it.effect("are deleted later where another call writes them, and that says so", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openCaller("mine")
      const id = yield* snapshotOf(account)
      const sql = yield* SqlClient.SqlClient
      const [locked, held] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const writer = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(
          sql`SELECT pg_advisory_xact_lock(hashtextextended(${`snapshots ${account}`}, 0))`,
          Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(held))
        ))
      )
      yield* Deferred.await(locked)
      const busy = yield* send("DELETE", `/v1/snapshots/${id}`, { key })
      assert.deepStrictEqual([busy.status, jsonOf(busy)["error"], busy.headers["retry-after"]], [503, "store_busy", "5"])
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.join(writer)
      assert.strictEqual((yield* send("DELETE", `/v1/snapshots/${id}`, { key })).status, 200)
    }), 120_000)

  it.effect("have their routes in the document of the tool server", () =>
    Effect.gen(function*() {
      const { paths } = JSON.parse((yield* send("GET", "/openapi.json")).text)
      const methods = (path: string) => Object.keys(paths[path] ?? {})
      assert.deepStrictEqual(methods("/v1/snapshots/{id}/bundle.tar.gz"), ["get"])
      assert.deepStrictEqual(methods("/v1/snapshots/{id}/programs/{name}"), ["post"])
      assert.deepStrictEqual(methods("/v1/snapshots/{id}"), ["delete"])
      assert.deepStrictEqual(methods("/v1/snapshots/{id}/search"), ["get"])
      assert.deepStrictEqual(methods("/v1/snapshots/{id}/discard"), ["post"])
      assert.deepStrictEqual(methods("/v1/session"), ["delete"])
      assert.sameMembers(methods("/v1/account/github-token"), ["post", "delete"])
      // A key, or none where the snapshot belongs to nobody.
      assert.deepStrictEqual(paths["/v1/snapshots/{id}/search"].get.security, [{ tool_key: [] }, {}])
    }))
})
