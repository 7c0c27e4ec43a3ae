/** Where this service is reached from outside, without a slash at the end: what addresses in resources, mails and pages begin with. */
import { Context } from "effect"

export class PublicUrl extends Context.Reference<string>("@svc/kernel/PublicUrl", { defaultValue: () => "" }) {}
