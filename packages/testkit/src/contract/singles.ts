/** Everything that can be wrong alone: each query parameter, id, field, body and content type with each bad value. */
import type { Chance } from "../simulation/chance.ts"
import type { Case, Draft, Ingredients } from "./cases.ts"
import { edgesOf, finish, good, propertyOf, putContentType, putId, shorten } from "./cases.ts"
import type { Document, Route } from "./document.ts"
import { raw } from "./json-text.ts"
import * as nasty from "./nasty.ts"

/** Spoils a draft and says how. */
type Fault = (draft: Draft) => string

const queryFaults = ({ parameters }: Route): ReadonlyArray<Fault> =>
  parameters.filter((parameter) => parameter.in === "query").flatMap(({ name }) =>
    nasty.queryTexts.map((value): Fault => ({ query }) => {
      query.push(`${name}=${value}`)
      return `query ${name}=${shorten(value)}`
    })
  )

const pathFaults = (route: Route): ReadonlyArray<Fault> =>
  route.path.includes("{") ? nasty.segments.map((id): Fault => (draft) => putId(draft, route, id)) : []

const fieldFaults = (document: Document, { body }: Route): ReadonlyArray<Fault> => {
  const properties = body?.schema["properties"]
  if (body === undefined || typeof properties !== "object" || properties === null) return []
  return Object.keys(properties).flatMap((name) =>
    [...edgesOf(document, propertyOf(body.schema, name)), ...nasty.rawValues].map((value): Fault => (draft) => {
      if (draft.body === undefined || Buffer.isBuffer(draft.body) || draft.body.kind !== "object") return "nothing"
      const key = JSON.stringify(name)
      const member = draft.body.members.find((one) => one.key === key)
      if (member === undefined) draft.body.members.push({ key, value: raw(value) })
      else member.value = raw(value)
      return `${name} = ${shorten(value)}`
    })
  )
}

const bodyFaults = (): ReadonlyArray<Fault> => [
  ...nasty.bodies.map((body): Fault => (draft) => {
    draft.body = raw(body)
    return `body ${shorten(body)}`
  }),
  ...nasty.byteBodies.map((body): Fault => (draft) => {
    draft.body = body
    return `body of bytes ${body.subarray(0, 8).toString("hex")}`
  }),
  ...[undefined, ...nasty.contentTypes].map((value): Fault => (draft) => putContentType(draft, value))
]

/** One request for each fault of each route. */
export const singles = (ingredients: Ingredients, chance: Chance, seed: string): ReadonlyArray<Case> =>
  ingredients.routes.flatMap((route) => {
    const faults = [
      ...queryFaults(route),
      ...pathFaults(route),
      ...fieldFaults(ingredients.document, route),
      ...(route.body === undefined ? [] : bodyFaults())
    ]
    return faults.map((fault, n) => {
      const draft = good(ingredients, route, chance, `${seed}-${route.operation.operationId}-${n}`)
      return finish(route, [fault(draft)], draft)
    })
  })
