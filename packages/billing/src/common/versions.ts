/** The version of a resource that a caller has read, in the body of a request. In the header it is `If-Match`. */
import { Schema } from "effect"

/** For the schemas of requests. */
export const readVersion = {
  version: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description: "The version you read; the request is refused when it is no longer the current one"
    })
  )
}
