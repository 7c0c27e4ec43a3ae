/** The header that names a request. */
import { Schema } from "effect"
import { exampleId } from "../resource/examples.ts"
import type { Header } from "./headers.ts"

/** Every answer has this header. */
export const requestId: Header = {
  name: "Request-Id",
  value: Schema.String.annotate({ description: "Names this request in logs and in error bodies.", examples: [exampleId("req")] })
}
