/** An API whose endpoints read something in another way, which whoever calls or implements them does not notice. */
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

/** An endpoint, with its successes by their status. */
export type ReflectedEndpoint = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]

/** What of an endpoint may differ. */
export type EndpointChanges = Partial<Pick<HttpApiEndpoint.Top, "payload" | "success">>

/** The same value but for these properties; all others, and what it can do, it takes from the first. */
const but = <A extends object>(value: A, changed: object): A => Object.create(value, Object.getOwnPropertyDescriptors(changed))

export const withEndpoints = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  change: (endpoint: ReflectedEndpoint) => EndpointChanges
): HttpApi.HttpApi<Id, Groups> => {
  const groups: Record<string, HttpApiGroup.Top> = {}
  let endpoints: Record<string, HttpApiEndpoint.Top> = {}
  HttpApi.reflect(api, {
    onGroup: ({ group }) => {
      endpoints = {}
      groups[group.identifier] = but(group, { endpoints })
    },
    onEndpoint: (reflected) => {
      endpoints[reflected.endpoint.identifier] = but(reflected.endpoint, change(reflected))
    }
  })
  return but(api, { groups })
}
