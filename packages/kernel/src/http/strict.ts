/**
 * How requests are read: every issue is reported, and neither a body nor a query may hold what nobody knows: a mistyped filter would find
 * everything.
 */
import { Context } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"

export const strict = Context.make(HttpApi.ParseOptions, { errors: "all" }).pipe(
  Context.add(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" }),
  Context.add(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
)
