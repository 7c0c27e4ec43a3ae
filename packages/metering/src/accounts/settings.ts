/** What the installation decides about accounts that anybody may open. */
import { oneOf, wholeNumber } from "@svc/kernel/parts/settings"
import { Config, Context, Layer } from "effect"

export const OpeningSettings = Config.all({
  /**
   * Whether accounts that are opened on the tool server are sandbox or live ones. A live one waits for the operator before it can take
   * payments.
   */
  mode: oneOf("TOOLS_ACCOUNTS", ["sandbox", "live"], "sandbox"),
  /** Accounts that one network may open in an hour, sandboxes of agents included. */
  perHour: wholeNumber("TOOLS_SIGNUPS_PER_HOUR", { minimum: 1, maximum: 1_000_000, usual: 20 })
})

export class Openings extends Context.Service<Openings, Config.Success<typeof OpeningSettings>>()("@svc/metering/Openings") {
  static readonly layer = Layer.effect(Openings, OpeningSettings)
}
