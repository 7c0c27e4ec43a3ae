/** Where this service is reached from outside, without a slash at the end: what addresses in resources, mails and pages begin with. */
import { Reference } from "../values/reference.ts"

export class PublicUrl extends Reference<string>("@svc/kernel/PublicUrl", { defaultValue: () => "" }) {}
