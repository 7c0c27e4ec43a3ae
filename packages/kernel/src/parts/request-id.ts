/** The id of the request being answered, for its error body, its log lines, the audit log and the `Request-Id` header. */
import { Reference } from "../values/reference.ts"

export class RequestId extends Reference<string | undefined>("@svc/kernel/RequestId", { defaultValue: () => undefined }) {}
