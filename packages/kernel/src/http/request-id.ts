/** The id of the request being answered, for its error body, its log lines and the `Request-Id` header. */
import { Context } from "effect"

export class RequestId extends Context.Reference<string | undefined>("@svc/kernel/RequestId", { defaultValue: () => undefined }) {}
