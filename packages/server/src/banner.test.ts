import { assert, it } from "@effect/vitest"
import { banner } from "./banner.ts"

const credentials = {
  account_id: "acct_1",
  secret_key: "sk_test_1",
  webhook_secret: "whsec_1",
  base_url: "http://localhost:4000",
  tools_url: "http://localhost:4001"
}
const printed = (webhookUrl: string | undefined, dataDir = ".data") =>
  banner({
    credentials,
    dataDir,
    file: `${dataDir}/credentials.json`,
    database: "embedded",
    webhookUrl,
    desk: "http://localhost:4000/desk",
    key: "k"
  })

it.each([
  ["http://127.0.0.1:4242/webhooks", "(npm run svc -- listen receives and verifies them)"],
  ["http://localhost:4243/hooks", "(npm run svc -- listen --port 4243 receives and verifies them)"],
  ["http://127.0.0.1/webhooks", "(npm run svc -- listen --port 80 receives and verifies them)"]
])("webhooks that go to %s are received by a command that the first page names", (url, command) => {
  assert.include(printed(url), `  Webhooks go to    ${url}  ${command}\n`)
})

it.each(["https://example.com/webhooks", "https://127.0.0.1:4242/webhooks", "http://10.0.0.1:4242/webhooks"])(
  "none is named for %s, where listen does not listen",
  (url) => {
    assert.include(printed(url), `  Webhooks go to    ${url}\n`)
  }
)

it.each([["/srv/svc", "/srv/svc"], ["/srv/it's mine", "'/srv/it'\\''s mine'"]])(
  "the command names the folder %s, where the secret is",
  (dataDir, word) => {
    assert.include(
      printed("http://127.0.0.1:4242/webhooks", dataDir),
      `(DATA_DIR=${word} npm run svc -- listen receives and verifies them)`
    )
  }
)

it("without an endpoint it says how to register one", () => {
  assert.include(printed(undefined), "Register one with PUT /v1/webhook_endpoint")
})
