/** The sandbox at a real door: what a call answers, what it costs, and what an engineer verifies. */
import { assert, describe, layer } from "@effect/vitest"
import { CLOSES_NETWORK, newerNode } from "@svc/confined/newer-node"
import { sandboxPackages } from "@svc/engines/fetched/groups"
import { SigningKey } from "@svc/kernel/signatures/signing-key"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { FetchedPackages } from "@svc/platform/fetched/service"
import type { FetchTime } from "@svc/platform/fetched/settings"
import { grantCredits, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { send } from "@svc/testkit/contract/service"
import { fetchedFolder, missing } from "@svc/testkit/fetched"
import { Effect, Layer, Schema } from "effect"
import { compactVerify, importJWK } from "jose"
import { hash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const Answer = Schema.Struct({ result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Json) }) })
const decode = Schema.decodeEffect(Schema.fromJsonString(Answer))

/** What a call answers, and what it cost in cents. */
const call = Effect.fnUntraced(function*(key: string, args: object, headers: Readonly<Record<string, string>> = {}) {
  const params = { name: "svc_code_sandbox", arguments: args }
  const answer = yield* send("POST", "/mcp", { key, headers, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } })
  const { result } = yield* decode(answer.text)
  return { content: result.structuredContent, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})

const newCaller = Effect.gen(function*() {
  const caller = yield* openCaller("Acme")
  yield* grantCredits(caller, 1_000)
  return caller.key
})

const Catalog = Schema.Struct({ result: Schema.Struct({ tools: Schema.Array(Schema.Record(Schema.String, Schema.Json)) }) })

/** What others are told of the tool. */
const shown = Effect.gen(function*() {
  const { text } = yield* send("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "discover/catalog" } })
  const { result } = yield* Schema.decodeEffect(Schema.fromJsonString(Catalog))(text)
  return result.tools.find(({ name }) => name === "svc_code_sandbox") ?? {}
})

const AttestedAnswer = Schema.Struct({
  stdout: Schema.String,
  stderr: Schema.String,
  exit_code: Schema.NullOr(Schema.Int),
  attestation: Schema.Record(Schema.String, Schema.String)
})
const decodeAttested = Schema.decodeUnknownEffect(AttestedAnswer)

describe.skipIf(bubblewrapPath() === undefined)(
  bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "the sandbox for code within bubblewrap",
  () => {
    layer(layerWith({ CONFINED: "bubblewrap" }), { excludeTestServices: true, timeout: "60 seconds" })("at a door", (it) => {
      it.effect.each(
        [
          ["python", "import sys; print(6 * 7, sys.stdin.read())"],
          ["node", "console.log(6 * 7, require('fs').readFileSync(0, 'utf8'))"],
          ["bash", "echo $((6 * 7)) $(cat)"]
        ] as const
      )("runs %s, by either name of the field", ([runtime, code]) =>
        Effect.gen(function*() {
          const key = yield* newCaller
          for (const field of ["runtime", "language"]) {
            const { cents, content } = yield* call(key, { [field]: runtime, code, stdin: "héllo" })
            assert.deepInclude(content, { stdout: "42 héllo\n", stderr: "", exit_code: 0, timed_out: false })
            assert.match(String(content["image"]), new RegExp(`^${runtime} \\d+\\.\\d+.*, bubblewrap \\d`))
            assert.strictEqual(cents, 5)
          }
        }))

      it.effect("bills a run that failed, was silent or ran out of its time, and says which", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const failed = yield* call(key, { runtime: "bash", code: "echo no >&2; exit 3" })
          assert.deepInclude(failed.content, { stdout: "", stderr: "no\n", exit_code: 3, timed_out: false })
          const silent = yield* call(key, { runtime: "bash", code: "" }, { "X-Agent-Mode": "lite" })
          assert.deepInclude(silent.content, { stdout: "", stderr: "", exit_code: 0 })
          const late = yield* call(key, { runtime: "bash", code: "trap '' TERM; echo begun; sleep 60", timeout_seconds: 5 })
          assert.deepInclude(late.content, { stdout: "begun\n", exit_code: null, timed_out: true })
          assert.deepStrictEqual([failed.cents, silent.cents, late.cents], [5, 2, 5])
        }))

      it.effect("masks card numbers in what a program prints", () =>
        Effect.gen(function*() {
          const code = "card = '4242' * 4\nprint('paid with', card)\nraise SystemExit('not ' + card)"
          const { content } = yield* call(yield* newCaller, { runtime: "python", code })
          assert.deepInclude(content, { stdout: "paid with ************4242\n", stderr: "not ************4242\n" })
        }))

      it.effect("cuts what would be many times as long in the answer, and says so", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const params = { name: "svc_code_sandbox", arguments: { runtime: "python", code: "print('\\1' * 10 ** 6, end='')" } }
          const { text } = yield* send("POST", "/mcp", { key, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } })
          const { result: { structuredContent: { notes, stdout } } } = yield* decode(text)
          assert.match(String(notes), /cut off where it takes more than 1572864 bytes/u)
          assert.strictEqual(stdout, "\u0001".repeat(1.5 * 1024 ** 2 / 6))
          assert.isBelow(text.length, 4 * 1024 ** 2)
          const whole = yield* call(key, { runtime: "python", code: "print('a \\\"line\\\"\\n' * 90_000)" })
          assert.notProperty(whole.content, "notes")
        }))

      it.effect("signs what an engineer's run was, one chained to the other", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const { publicKey } = yield* SigningKey
          const jwk = yield* Effect.promise(() => importJWK({ ...publicKey }, "EdDSA"))
          let previous = "0".repeat(64)
          for (const code of ["print(1)", "print(2)"]) {
            const { cents, content } = yield* call(key, { runtime: "python", code }, { "X-Agent-Mode": "engineer" })
            const { attestation: { kid, sig, ...entry }, ...answer } = yield* decodeAttested(content)
            const { payload, protectedHeader } = yield* Effect.promise(() => compactVerify(sig ?? "", jwk))
            assert.deepStrictEqual(protectedHeader, { alg: "EdDSA", kid: publicKey.kid })
            assert.strictEqual(Buffer.from(payload).toString(), canonicalize(entry))
            const { entry_hash, ...body } = entry
            assert.strictEqual(entry_hash, hash("sha256", canonicalize(body)))
            assert.deepInclude(entry, {
              prev_hash: previous,
              code_sha256: hash("sha256", code),
              output_sha256: hash("sha256", canonicalize(answer)),
              image: String(content["image"])
            })
            assert.deepStrictEqual([kid, cents], [publicKey.kid, 25])
            previous = entry_hash ?? ""
          }
        }))
    })
  }
)

layer(layerWith({ CONFINED: "webassembly" }), { excludeTestServices: true, timeout: "60 seconds" })("without bubblewrap", (it) => {
  it.effect("runs JavaScript, and says what it lacks", () =>
    Effect.gen(function*() {
      const { cents, content } = yield* call(yield* newCaller, { runtime: "node", code: "console.log(6 * 7, stdin)", stdin: "hello" })
      assert.deepInclude(content, { stdout: "42 hello\n", exit_code: 0 })
      assert.match(String(content["image"]), /^quickjs-emscripten \d.*, webassembly, Node\.js \d/)
      assert.match(String(content["notes"]), /QuickJS/)
      assert.strictEqual(cents, 5)
      const { mend, status } = yield* shown
      assert.strictEqual(status, "available")
      assert.include(String(mend), "install bubblewrap for the others")
    }))
})

const isFetched = await fetchedFolder(sandboxPackages) !== undefined && await fetchedFolder(newerNode) !== undefined

describe.skipIf(!isFetched)(isFetched ? "without bubblewrap, when its packages are fetched" : missing(sandboxPackages), () => {
  layer(layerWith({ CONFINED: "webassembly" }), { excludeTestServices: true, timeout: "60 seconds" })("at a door", (it) => {
    it.effect.each(
      [
        ["python", "import sys; print(6 * 7, sys.stdin.read())", /^CPython 3\.13/u],
        ["bash", "echo $((6 * 7)) $(cat)", /^just-bash 3\.4/u]
      ] as const
    )("runs %s, and is paid for it", ([runtime, code, image]) =>
      Effect.gen(function*() {
        const { cents, content } = yield* call(yield* newCaller, { runtime, code, stdin: "héllo" })
        assert.deepInclude(content, { stdout: "42 héllo\n", stderr: "", exit_code: 0, timed_out: false })
        assert.match(String(content["image"]), image)
        assert.match(String(content["image"]), /, webassembly, Node\.js \d/u)
        assert.strictEqual(cents, 5)
      }))
  })
})

const emptyFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-packages-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)
const withoutPackages = (time: FetchTime) => Layer.unwrap(Effect.map(emptyFolder, (folder) => FetchedPackages.layerOf({ time, folder })))

layer(layerWith({ CONFINED: "webassembly" }, { packages: withoutPackages("when_needed") }), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("before its packages are fetched", (it) => {
  it.effect("a call is told that they are coming, and costs nothing", () =>
    Effect.gen(function*() {
      const before = String((yield* shown)["mend"])
      assert.include(before, "Python and bash without bubblewrap: fetched when first needed (89 MB)")
      if (!CLOSES_NETWORK) assert.include(before, "Bash and parsers in JavaScript without bubblewrap: fetched when first needed (211 MB)")
      const { cents, content } = yield* call(yield* newCaller, { runtime: "python", code: "print(1)" })
      assert.deepInclude(content, { _not_configured: true, reason: "backend_installing", remediation: "Call again in a minute." })
      assert.strictEqual(cents, 0)
      const { mend, status } = yield* shown
      assert.strictEqual(status, "available")
      assert.include(String(mend), "Python and bash without bubblewrap: being fetched")
    }))
})

layer(layerWith({ CONFINED: "webassembly" }, { packages: withoutPackages("never") }), { excludeTestServices: true, timeout: "60 seconds" })(
  "where nothing may be fetched",
  (it) => {
    it.effect.each(["python", "bash"])(
      "%s is absent, costs nothing, and the answer says what would change that",
      (runtime) =>
        Effect.gen(function*() {
          const { cents, content } = yield* call(yield* newCaller, { runtime, code: "" })
          assert.deepInclude(content, { _not_configured: true, reason: "backend_absent" })
          assert.match(String(content["remediation"]), /FETCH_PACKAGES/u)
          assert.strictEqual(cents, 0)
        })
    )
  }
)

layer(layerWith({ CONFINED: "webassembly", CONFINED_PLACES: "1" }), { excludeTestServices: true, timeout: "60 seconds" })(
  "while all places are taken",
  (it) => {
    it.effect("a call waits ten seconds, is told so, and costs nothing", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        // Either has the place, for twice as long as the other one waits.
        const long = call(key, { runtime: "node", code: "for (;;);", timeout_seconds: 20 })
        const answers = yield* Effect.all([long, long], { concurrency: 2 })
        const waited = answers.find(({ content }) => content["_not_configured"] === true)
        assert.deepStrictEqual([waited?.content["reason"], waited?.cents], ["sandbox_busy", 0])
        assert.isDefined(answers.find(({ content }) => content["timed_out"] === true))
      }), 120_000)
  }
)

layer(layerWith({ CONFINED: "none" }), { excludeTestServices: true, timeout: "60 seconds" })("without any wall", (it) => {
  it.effect("nothing runs, nothing is charged, and the answer says what would change that", () =>
    Effect.gen(function*() {
      const { cents, content } = yield* call(yield* newCaller, { runtime: "bash", code: "echo no" })
      assert.deepInclude(content, { _not_configured: true, reason: "backend_absent", remediation: "Set CONFINED to best." })
      assert.deepInclude(yield* shown, { status: "not_configured", mend: "Set CONFINED to best." })
      assert.strictEqual(cents, 0)
    }))
})
