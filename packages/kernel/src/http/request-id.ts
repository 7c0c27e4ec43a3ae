/** The id of the request being answered, for its error body, its log lines and the `Request-Id` header. */
import { Schema } from "effect"
import { exampleId } from "../examples.ts"
import type { Header } from "./headers.ts"
import { Reference } from "../reference.ts"

export class RequestId extends Reference<string | undefined>("@svc/kernel/RequestId", { defaultValue: () => undefined }) {}

/** On every answer. */
export const requestId: Header = {
  name: "Request-Id",
  value: Schema.String.annotate({ description: "Names this request in logs and in error bodies.", examples: [exampleId("req")] })
}
