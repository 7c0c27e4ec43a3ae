import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { services } from "@svc/testkit/services"
import { Effect, Fiber, Stream } from "effect"
import { Files } from "./service.ts"

const open = Effect.flatMap(
  Accounts,
  (accounts) => Effect.map(accounts.create({ name: "Acme", sandbox: true }), ({ account }) => account.id)
)

const upload = (account: string, body: Stream.Stream<Uint8Array>) =>
  Effect.flatMap(
    Files,
    (files) => files.upload({ account, purpose: "dispute_evidence", filename: null, content_type: "application/pdf", body })
  )

layer(services, { excludeTestServices: true })("files", (it) => {
  it.effect("of one account that come slowly, or never, keep nobody else's waiting", () =>
    Effect.gen(function*() {
      const [slow, quick] = [yield* open, yield* open]
      const stalled = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.forkChild(upload(slow, Stream.never), { startImmediately: true }))
      const kept = yield* Effect.timeoutOption(upload(quick, Stream.make(Buffer.from("%PDF-1.7 %%EOF"))), "60 seconds")
      assert.strictEqual(kept._tag, "Some")
      yield* Fiber.interruptAll(stalled)
      // Whoever hung up holds no place.
      assert.strictEqual((yield* upload(slow, Stream.make(Buffer.from("%PDF-1.7 %%EOF")))).size, 14)
    }))
})
