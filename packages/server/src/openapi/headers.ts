/**
 * Headers of requests and answers as components, each written once. Effect documents those that a schema of an endpoint names, which
 * every handler would then return and every client read; these are the business of what stands before the handlers.
 */
import type { Header } from "@svc/kernel/http/headers"
import { Schema } from "effect"
import { described, mapValues, ref } from "./document.ts"
import { inlined } from "./facts.ts"

export const header = ({ value }: Header) => described(inlined(Schema.toEncoded(value)))

const byName = (headers: Iterable<Header>): Record<string, Header> => Object.fromEntries(Array.from(headers, (one) => [one.name, one]))

/** The headers of a response, as references. */
export const sent = (headers: Iterable<Header>) => mapValues(byName(headers), (_, name) => ref("headers", name))

/** The components that those references name. */
export const sentComponents = (headers: Iterable<Header>) => mapValues(byName(headers), header)

/** The name of a component may hold dashes, and that of a type that is generated from it may not. */
const plain = ({ name, required, variant = "" }: Header) =>
  `${required === true ? "Required" : variant}${name.split("-").map((word) => word.slice(0, 1) + word.slice(1).toLowerCase()).join("")}`

/** The parameters of an operation, as references. */
export const read = (headers: ReadonlyArray<Header>) => headers.map((one) => ref("parameters", plain(one)))

/** The components that those references name. */
export const readComponents = (headers: Iterable<Header>) =>
  Object.fromEntries(
    Array.from(headers, (one) => [plain(one), { name: one.name, in: "header", required: one.required === true, ...header(one) }])
  )
