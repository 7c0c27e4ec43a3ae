/**
 * The frame of the provider of live accounts, into which cards are typed. `docs/checkout.md` says what it and the page say to each other.
 */
import { Reference } from "@svc/kernel/values/reference"

/** Its address; undefined where cards are not taken. Sandbox accounts have the simulator's own. */
export class CardFieldsUrl extends Reference<string | undefined>("@svc/checkout/CardFieldsUrl", { defaultValue: () => undefined }) {}
