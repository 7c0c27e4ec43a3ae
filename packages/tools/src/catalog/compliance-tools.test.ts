/** The compliance tools as a caller sees them: arguments in, JSON out. */
import { assert, describe, it } from "@effect/vitest"
import { mandates } from "@svc/compliance/ap2/mandate-fixture"
import type { ToolOutcome } from "@svc/tool-kit/outcome"
import type { Compiled } from "@svc/tool-kit/tool"
import canonicalize from "canonicalize"
import { Effect, Result } from "effect"
import { flattenedVerify, importJWK } from "jose"
import { createHash } from "node:crypto"
import { assemble_ce3_evidence } from "./assemble_ce3_evidence.ts"
import { build_ap2_mandate } from "./build_ap2_mandate.ts"
import { grade_compliance } from "./grade_compliance.ts"
import { sca_exemption_decision } from "./sca_exemption_decision.ts"
import { score_dispute_readiness } from "./score_dispute_readiness.ts"
import { svc_network_tokenization } from "./svc_network_tokenization.ts"

const call = { id: "call_1", mode: "standard", account: { id: "acct_1", sandbox: true } } as const

const run = (compiled: Compiled<never>, args: unknown): Effect.Effect<ToolOutcome> =>
  Result.match(compiled.prepare(args, call), { onFailure: (refused) => Effect.die(refused), onSuccess: (prepared) => prepared.run })

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const done = (compiled: Compiled<never>, args: unknown) =>
  Effect.flatMap(
    run(compiled, args),
    (outcome) => outcome._tag === "Done" && isFields(outcome.result) ? Effect.succeed(outcome.result) : Effect.die(outcome)
  )

const refusal = (compiled: Compiled<never>, args: unknown): string =>
  Result.match(compiled.prepare(args, call), { onFailure: ({ message }) => message, onSuccess: () => "accepted" })

const sha256 = (...parts: ReadonlyArray<unknown>) =>
  createHash("sha256").update(parts.map((part) => canonicalize(part)).join("")).digest("hex")

describe("the proof", () => {
  const proving = [sca_exemption_decision, grade_compliance, assemble_ce3_evidence, score_dispute_readiness] as const

  it.effect.each(proving.map(({ compiled, examples }) => [compiled.name, compiled, examples] as const))(
    "of %s is one that others can make",
    ([, compiled, examples]) =>
      Effect.gen(function*() {
        for (const example of examples) {
          const { proof, ...output } = yield* done(compiled, example)
          assert.deepStrictEqual(proof, { algo: "sha256", digest: sha256(example, output), over: ["input", "output"] })
        }
      })
  )

  it.effect("of a mandate leaves the seed out", () =>
    Effect.gen(function*() {
      for (const example of build_ap2_mandate.examples) {
        const { proof, ...output } = yield* done(build_ap2_mandate.compiled, example)
        const { seed_hex: _, ...input } = { seed_hex: "", ...example }
        assert.deepStrictEqual(proof, { algo: "sha256", digest: sha256(input, output), over: ["input_without_seed_hex", "output"] })
      }
    }))
})

describe("what is refused", () => {
  it.for(
    [
      [sca_exemption_decision, {}, /amount_eur/],
      [sca_exemption_decision, { amount_eur: 0 }, /amount_eur/],
      [sca_exemption_decision, { amount_eur: 10, count_since_sca: -1 }, /count_since_sca/],
      [sca_exemption_decision, { amount_eur: 10, is_trusted: true }, /is_trusted/],
      [grade_compliance, { files: [] }, /files/],
      [
        grade_compliance,
        { files: [{ path: "a.ts", content: "x".repeat(51_201) }] },
        /\[0\]\.content has 51201 bytes, and a file may have 51200/
      ],
      [
        grade_compliance,
        { files: Array.from({ length: 21 }, (_, at) => ({ path: `${at}.ts`, content: "x".repeat(51_200) })) },
        /1075200 bytes together, and may have 1048576/
      ],
      [grade_compliance, { files: Array.from({ length: 26 }, (_, at) => ({ path: `${at}.ts`, content: "" })) }, /files/],
      [grade_compliance, { files: [{ path: "a.ts", content: "\ud800" }] }, /files\[0\]\.content: the text holds half of a surrogate pair/],
      [assemble_ce3_evidence, { dispute: { reason_code: "10.4" }, transaction_history: [] }, /dispute[\s\S]*txn/],
      [score_dispute_readiness, { reason_code: "10.4", evidence: { matchingDataElements: 6 } }, /matchingDataElements/],
      [build_ap2_mandate, { mandate: {}, seed_hex: "abc" }, /seed_hex/],
      [build_ap2_mandate, { mandate: { "\udc00": 1 } }, /mandate/],
      [svc_network_tokenization, { operation: "lifecycle", events: ["explode"] }, /events/]
    ] as const
  )("names the field: %o", ([{ compiled }, args, says]) => {
    assert.match(refusal(compiled, args), says)
  })

  it("does not repeat the seed", () => {
    const secret = `${"ab".repeat(31)}zz`
    assert.notInclude(refusal(build_ap2_mandate.compiled, { mandate: {}, seed_hex: secret }), secret)
  })
})

describe("sca_exemption_decision", () => {
  it.effect("answers flat and in one object", () =>
    Effect.gen(function*() {
      const { caveat, decision, matrix, proof: _, ruleset, ...flat } = yield* done(sca_exemption_decision.compiled, { amount_eur: 25 })
      assert.deepStrictEqual(flat, decision)
      assert.lengthOf(Array.isArray(matrix) ? matrix : [], 8)
      assert.strictEqual(ruleset, "rts-2018-389")
      assert.match(String(caveat), /Decision support/)
    }))
})

describe("build_ap2_mandate", () => {
  const seed_hex = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"

  it.effect.each(Object.entries(mandates))("signs %s as jose verifies it", ([, mandate]) =>
    Effect.gen(function*() {
      const result = yield* done(build_ap2_mandate.compiled, { mandate, seed_hex })
      assert.deepInclude(result, { valid: true, issues: [], verified: true, encoded: canonicalize(mandate) })
      const { signed } = result
      const { jws, public_key } = isFields(signed) ? signed : {}
      const { protected: header, signature } = isFields(jws) ? jws : {}
      const verified = yield* Effect.promise(async () => {
        const key = await importJWK({ ...(isFields(public_key) ? public_key : {}) }, "EdDSA")
        return flattenedVerify({
          protected: String(header),
          signature: String(signature),
          payload: new TextEncoder().encode(canonicalize(mandate))
        }, key)
      })
      assert.deepInclude(verified.protectedHeader, { alg: "EdDSA", b64: false, crit: ["b64"] })
      assert.notInclude(JSON.stringify(result), seed_hex)
    }))

  it.effect("encodes without a seed, and neither when something is wrong", () =>
    Effect.gen(function*() {
      const mandate = mandates["0.1 intent"]
      const plain = yield* done(build_ap2_mandate.compiled, { mandate })
      assert.deepInclude(plain, { kind: "intent", ap2_version: "0.1", valid: true, verified: false, encoded: canonicalize(mandate) })
      assert.notProperty(plain, "signed")
      const wrong = yield* done(build_ap2_mandate.compiled, { mandate: { ...mandate, intent_expiry: "soon" }, seed_hex })
      assert.deepInclude(wrong, { valid: false, verified: false })
      assert.notProperty(wrong, "signed")
      assert.notProperty(wrong, "encoded")
    }))

  it.effect("signs the same bytes whatever the order of the fields", () =>
    Effect.gen(function*() {
      const mandate = mandates["mandate.payment.1"] ?? {}
      const turned = Object.fromEntries(Object.entries(mandate).toReversed())
      const [one, other] = yield* Effect.all([
        done(build_ap2_mandate.compiled, { mandate, seed_hex }),
        done(build_ap2_mandate.compiled, { mandate: turned, seed_hex })
      ])
      assert.deepStrictEqual(one["signed"], other["signed"])
    }))
})

describe("svc_network_tokenization", () => {
  const { compiled } = svc_network_tokenization

  it.effect.each([{}, { operation: "read" }, { operation: "provision" }, { operation: "provision", provider: "vts" }])(
    "%o is always switched off, and free",
    (args) =>
      Effect.gen(function*() {
        const outcome = yield* run(compiled, args)
        assert.deepNestedInclude(outcome, {
          _tag: "Away",
          cents: 0,
          "result._not_configured": true,
          "result.reason": "network_tokenization_disabled"
        })
      })
  )

  it.effect("refuses an illegal event with what went before and what may follow", () =>
    Effect.gen(function*() {
      const outcome = yield* run(compiled, { operation: "lifecycle", events: ["provision", "activate", "resume"] })
      assert.deepNestedInclude(outcome, {
        _tag: "Failed",
        cents: 0,
        "error.code": "illegal_token_lifecycle_transition",
        "error.retryable": false
      })
      assert.deepNestedInclude(outcome, {
        "error.detail.at": 2,
        "error.detail.from": "active",
        "error.detail.event": "resume",
        "error.detail.allowed": ["suspend", "delete"]
      })
      assert.match(outcome._tag === "Failed" ? outcome.error.message : "", /^illegal token lifecycle transition/)
      const ended = yield* run(compiled, { operation: "lifecycle", state: "deleted", event: "provision" })
      assert.deepNestedInclude(ended, { "error.detail.allowed": [] })
    }))

  it.effect("takes a hundred events and no more", () =>
    Effect.gen(function*() {
      const turns = ["provision", "activate", ...Array.from({ length: 49 }, () => ["suspend", "resume"]).flat()]
      assert.lengthOf(turns, 100)
      assert.deepInclude(yield* done(compiled, { operation: "lifecycle", events: turns }), {
        state: "active",
        terminal: false,
        simulated: true
      })
      assert.match(refusal(compiled, { operation: "lifecycle", events: [...turns, "suspend"] }), /events/)
    }))
})
