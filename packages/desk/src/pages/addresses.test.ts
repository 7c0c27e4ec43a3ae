import { assert, describe, it } from "@effect/vitest"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import { defaultLocale } from "@svc/design/locale"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { addressOf, anyAddressOf } from "./addresses.ts"
import { actedView } from "./assistant.ts"
import type { Visit } from "./visit.ts"

const account = {
  id: "acct_1",
  sandbox: true,
  status: "active",
  capabilities: [],
  restrictions: [],
  fee_tier_bps: null,
  settings: defaultSettings,
  api_version: CURRENT_API_VERSION
} as const

const visitOf = (of: Visit["person"]["account"], role: Visit["person"]["role"] = "owner"): Visit => ({
  person: { id: "usr_1", role, session_id: "ses_1", confirmed_at: 0, account: of, clocked: false, scopes: new Set() },
  name: "Ada",
  account_name: null,
  form_token: "",
  pageLocale: defaultLocale,
  public_url: "https://pay.example"
})

describe("the page of an id", () => {
  it.each([
    ["usr_1", "/desk/people/usr_1", "/desk/installation_people/usr_1"],
    ["glr_1", "/desk/go_live_requests/glr_1", "/desk/operator_go_live_requests/glr_1"],
    ["pi_1", "/desk/payments/pi_1", undefined],
    ["acct_1", undefined, "/desk/accounts/acct_1"],
    ["nothing_1", undefined, undefined],
    ["1", undefined, undefined]
  ])("%s is in the view of whoever looks", (id, inAccount, inInstallation) => {
    assert.strictEqual(addressOf(visitOf(account), id), inAccount)
    assert.strictEqual(addressOf(visitOf(null), id), inInstallation)
    assert.strictEqual(anyAddressOf(id), inAccount ?? inInstallation)
  })

  it("is none for a role that may not open it, also in a view that is named", () => {
    assert.isUndefined(addressOf(visitOf(account, "viewer"), "pi_1"))
    assert.isUndefined(addressOf(visitOf(null), "customer-1", "customers"))
    assert.strictEqual(addressOf(visitOf(account), "customer-1", "customers"), "/desk/customers/customer-1")
  })
})

describe("what the assistant did", () => {
  it("names a page for somebody else by its whole address, and one of the desk by its path", () => {
    const acted = { action: "open_onboarding_status", status: "completed", message: null } as const
    const { text } = actedView(visitOf(account), { ...acted, result: { path: "/pass/Zm9y", next: "/desk/terms" } }, "")
    assert.include(text, "href=\"https://pay.example/pass/Zm9y\"")
    assert.include(text, "href=\"/desk/terms\"")
  })
})
