/** Signs what ran. Whoever has the public key of `/.well-known/jwks.json` verifies it without this service. */
import { SigningKey } from "@svc/kernel/signatures/signing-key"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { realNow } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import type { Attestation, AttestedRun } from "./model.ts"
import { AttestationRepository } from "./repository.ts"

const base64url = (text: string): string => Buffer.from(text).toString("base64url")

export class Attestations extends Context.Service<Attestations, {
  readonly attest: (account: string, run: AttestedRun) => Effect.Effect<Attestation>
}>()("@svc/stores/Attestations") {
  static readonly layer = Layer.effect(
    Attestations,
    Effect.gen(function*() {
      const repository = yield* AttestationRepository
      const { publicKey: { alg, kid }, sign } = yield* SigningKey
      const header = base64url(canonicalize({ alg, kid }))

      const entryAfter = (run: AttestedRun) => (prev_hash: string) => {
        const entry = { ...run, prev_hash }
        return { ...entry, entry_hash: hash("sha256", canonicalize(entry)) }
      }
      const signed = (entry: ReturnType<ReturnType<typeof entryAfter>>): Attestation => {
        const input = `${header}.${base64url(canonicalize(entry))}`
        return { ...entry, sig: `${input}.${sign(input)}`, kid }
      }
      const attest = Effect.fn("Attestations.attest")(function*(account: string, run: AttestedRun) {
        return signed(yield* repository.append(account, yield* realNow, entryAfter(run)))
      })
      return Attestations.of({ attest })
    })
  )
}
