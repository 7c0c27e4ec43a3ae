/** `mppx validate`, which finds what is to be paid for by itself, pays for it with each method, and judges what it is told. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { join } from "node:path"
import { folder, installed, run } from "./install.ts"
import { base, toolServer } from "./listener.ts"

const Check = Schema.Struct({
  label: Schema.String,
  severity: Schema.Literals(["pass", "fail", "warn", "suggested", "skip"]),
  detail: Schema.optionalKey(Schema.String)
})
const Checks = Schema.Array(Check)
const Judged = Schema.Struct({
  discovery: Schema.Struct({ found: Schema.Boolean, valid: Schema.Boolean, checks: Checks }),
  endpoints: Schema.Array(
    Schema.Struct({ method: Schema.String, path: Schema.String, challenge: Checks, errorHandling: Checks, payment: Checks })
  )
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Judged))

const validate = Effect.gen(function*() {
  yield* installed
  // The same wallet pays for the same call at both addresses, and means it.
  const args = ["validate", yield* base, "--outputJson", "--yes", "--header", "x-svc-allow-duplicate:true"]
  const { stderr, stdout } = yield* run(process.execPath, [join(folder, "node_modules/mppx/dist/bin.js"), ...args], {
    MPPX_CONFIG: join(folder, "mppx.config.mjs")
  })
  assert.isTrue(stdout.startsWith("{"), `${stdout}\n${stderr}`)
  return yield* decode(stdout)
})

const notPassed = (checks: typeof Checks.Type) =>
  checks.filter(({ severity }) => severity !== "pass").map(({ detail = "", label, severity }) => `${severity}: ${label}: ${detail}`)

/** The server of a test is reached at another address than its public one, which the challenge names. */
const isOwnAddress = (said: string): boolean =>
  said === "warn: Realm matches server hostname: realm=\"tools.svc.test\" vs host=\"127.0.0.1\""

/** A settlement that was not carried out on a chain has no transaction to name, and says so. */
const simulated = /^warn: Receipt reference format: simulated_\w+$/u

layer(toolServer, { excludeTestServices: true, timeout: "120 seconds" })("mppx validate", (it) => {
  it.effect("has nothing against us, paid checks included", () =>
    Effect.gen(function*() {
      const { discovery, endpoints } = yield* validate
      assert.deepStrictEqual(notPassed(discovery.checks), [])
      assert.deepStrictEqual(endpoints.map(({ method, path }) => `${method} ${path}`), ["POST /mcp", "POST /v1/mcp", "POST /v1/analyze"])
      for (const { challenge, errorHandling, path, payment } of endpoints) {
        if (path === "/v1/analyze") {
          // Who calls it has to be known first, and no client of the Payment scheme has a key.
          assert.deepStrictEqual(notPassed([...challenge, ...errorHandling, ...payment]), [
            "skip: Returns 402 without credentials: Got 401 (endpoint requires auth before payment gate)"
          ])
          continue
        }
        assert.deepStrictEqual(notPassed([...challenge, ...errorHandling]).filter((said) => !isOwnAddress(said)), [])
        const labels = payment.map(({ label }) => label)
        assert.includeMembers(labels, ["Payment [stripe]: submitted", "Payment [evm]: submitted"])
        assert.deepStrictEqual(
          ["Payment: successful", "Payment-Receipt header present", "Receipt status is \"success\""].map((wanted) =>
            labels.filter((label) => label === wanted).length
          ),
          [2, 2, 2]
        )
        const [reference, ...more] = notPassed(payment)
        assert.match(reference ?? "", simulated)
        assert.deepStrictEqual(more, [])
      }
    }), 300_000)
})
