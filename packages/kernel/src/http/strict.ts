/** How requests are read: every issue is reported, and a body may not hold fields nobody knows. */
import { Context } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"

export const strict = Context.make(HttpApi.ParseOptions, { errors: "all" }).pipe(
  Context.add(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
)
