/** Whether the listener takes no more requests, because the service ends: answers that would go on for hours end then, too. */
import { Context } from "effect"

export class Stopping extends Context.Reference<() => boolean>("@svc/kernel/http/Stopping", { defaultValue: () => () => false }) {}
