import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./testing.ts"

describe("what a product measures, tries and sends", () => {
  it.each([
    ["a.ts", "posthog.capture(\"order_placed\", { total })", ["order_placed posthog.capture @1"]],
    ["a.ts", "gtag(\"event\", \"sign_up\", { method })\ngtag(\"config\", \"G-1\")", ["sign_up gtag @1"]],
    ["a.ts", "window.dataLayer.push({ event: \"checkout\" })\nstack.push(\"a\")", ["checkout window.dataLayer.push @1"]],
    ["a.py", "posthog.capture(user.id, event=\"trial_started\")", ["trial_started posthog.capture @1"]],
    ["a.ts", "file.track(\"a\")\nanalytics.track(name)\nscreen.capture(\"b\")", []]
  ])("gives events: %s %s", async (path, text, lines) => {
    assert.deepStrictEqual(await linesOf(path, `${text}\n`, "tracking", "call"), lines)
  })

  it.each([
    ["a.ts", "const on = useFeatureFlagEnabled(\"new-cart\")", ["new-cart useFeatureFlagEnabled @1"]],
    ["a.ts", "if (labs.isSet(\"audience\")) run()\nset.isSet(\"a\")", ["audience labs.isSet @1"]],
    ["a.rb", "Flipper.enabled?(:cart)\nFlipper.enabled?(\"basket\")", ["basket Flipper.enabled? @2"]]
  ])("gives flags: %s %s", async (path, text, lines) => {
    assert.deepStrictEqual(await linesOf(path, `${text}\n`, "flag", "call"), lines)
  })

  it.each([
    [
      "a.ts",
      "const welcome = () => transport.sendMail({ to, subject: \"Welcome\", template: \"welcome\" })",
      ["transport.sendMail Welcome welcome welcome @1"]
    ],
    ["a.ts", "await resend.emails.send({ subject: \"Receipt\" })\nsocket.send(\"x\")", ["resend.emails.send Receipt null null @1"]],
    ["a.py", "send_mail(\"Your order\", body, sender, [to])", ["send_mail Your order null null @1"]]
  ])("gives mails: %s %s", async (path, text, lines) => {
    assert.deepStrictEqual(await linesOf(path, `${text}\n`, "mail", "title", "template", "within"), lines)
  })
})
