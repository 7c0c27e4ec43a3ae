/** Whether the listener takes no more requests, because the service ends: answers that would go on for hours end then, too. */
import { Reference } from "../values/reference.ts"

export class Stopping extends Reference<() => boolean>("@svc/kernel/http/Stopping", { defaultValue: () => () => false }) {}
