import { assert, it } from "@effect/vitest"
import { EmailQuotaRepository } from "@svc/metering/email-quota/repository"
import { layerNone } from "@svc/platform/email/service"
import { backend } from "@svc/tool-kit/backend"
import { Mailer } from "@svc/tool-kit/services/mailer"
import { ConfigProvider, Effect, Layer } from "effect"
import { layer } from "./email.ts"

it.effect("an installation that the outside reaches has no mail without a mail server, and says what sets it up", () =>
  Effect.gen(function*() {
    const away = yield* Effect.flip(backend(Mailer))
    assert.strictEqual(away.reason, "backend_absent")
    assert.match(away.remediation, /SMTP_URL.*EMAIL_FROM/u)
  }).pipe(Effect.provide(layer.pipe(
    Layer.provide([layerNone, Layer.mock(EmailQuotaRepository)({})]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ PUBLIC_URL: "https://api.acme.example" })))
  ))))
