/** A request within the process that is the next piece of one from outside. */
import { Reference } from "../values/reference.ts"

/**
 * Whether the request goes on with what an earlier one began, as the second page of an export does: it does not count for the rate limit
 * again, and nobody reads its total.
 */
export class Continues extends Reference<boolean>("@svc/kernel/Continues", { defaultValue: () => false }) {}
