/** Most refusals are the same for many operations: each is written once, and referred to. */
import type { Document, PathItem, Reference, Response } from "./document.ts"
import { mapValues, ref } from "./document.ts"

const pascal = (code: string): string => code.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")

/** Told by the codes it can carry, such as `VersionConflictOrInvalidState`; limits are told to holders of keys only. */
const nameOf = ({ content = {}, headers = {} }: Response): string => {
  const codes = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))
  const open = !("RateLimit-Limit" in headers) && !("WWW-Authenticate" in headers)
  return codes.map(pascal).join("Or") + (open ? "WithoutKey" : "")
}

const isReference = (response: Response | Reference): response is Reference => "$ref" in response

/** The paths with references in the place of shared refusals, and the refusals. */
export const shareResponses = (paths: Document["paths"]): { readonly paths: Document["paths"]; readonly responses: Readonly<Record<string, Response>> } => {
  const all = Object.values(paths).flatMap((item) => Object.values(item)).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) => Number(status) < 400 || isReference(response) ? [] : [{ response, text: JSON.stringify(response) }]))
  const byText = Map.groupBy(all, ({ text }) => text)
  const shared = new Map(Array.from(byText).flatMap(([text, [first, second]]) => first === undefined || second === undefined ? [] : [[text, first.response] as const]))
  const share = (response: Response | Reference): Response | Reference => shared.has(JSON.stringify(response)) && !isReference(response) ? ref("responses", nameOf(response)) : response
  return {
    paths: mapValues(paths, (item): PathItem => mapValues(item, (operation) => ({ ...operation, responses: mapValues(operation.responses, share) }))),
    responses: Object.fromEntries(Array.from(shared.values(), (response) => [nameOf(response), response] as const).sort(([a], [b]) => a < b ? -1 : 1))
  }
}
