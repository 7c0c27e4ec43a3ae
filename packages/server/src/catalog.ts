/** What the groups of the contract say of themselves: scopes, tables of moves, events. Read once, and nowhere kept a second time. */
import { RequiredScope } from "@svc/accounts/access/api"
import { contract as toolContract } from "@svc/doors/api"
import { codeOf, type ErrorCode, errorCodes, Refuses } from "@svc/kernel/resource/errors"
import { type Delivering, Delivers, Emits } from "@svc/kernel/resource/events"
import { Machine, type StateMachine } from "@svc/kernel/resource/state-machine"
import { Changes, since, type VersionChange } from "@svc/kernel/resource/version-change"
import { toolScopes } from "@svc/tools/catalog/index"
import { Context } from "effect"
import type { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { contract } from "./api.ts"

export interface Catalog {
  /** What restricted keys may be given, in alphabetical order. */
  readonly scopes: ReadonlySet<string>
  readonly machines: ReadonlyArray<StateMachine>
  /** Each event type, and what its `data` is. */
  readonly events: ReadonlyMap<string, Schema.Top>
  /** What versions changed of the resources, newest first. */
  readonly changes: ReadonlyArray<VersionChange>
  /** How the accounts get them, and the title of the group that says so. */
  readonly delivers: (Delivering & { readonly group: string }) | undefined
  /** Every code that a request can be refused with, by its name: those of the endpoints, and those of what stands before them. */
  readonly errors: ReadonlyMap<string, ErrorCode>
}

export const catalogOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>): Catalog => {
  const scopes: Array<string> = []
  const machines: Array<StateMachine> = []
  const events = new Map<string, Schema.Top>()
  const changes: Array<VersionChange> = []
  const errors = new Map<string, ErrorCode>(Object.entries(errorCodes))
  const refusedWith = (refusals: ReadonlyArray<Schema.Top>) => {
    for (const code of refusals.map(codeOf)) if (code !== undefined) errors.set(code.error, code)
  }
  let delivers: Catalog["delivers"]
  HttpApi.reflect(api, {
    onGroup: ({ group }) => {
      const delivering = Context.getOrUndefined(group.annotations, Delivers)
      if (delivering !== undefined) {
        delivers = {
          ...delivering,
          group: Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier)
        }
      }
      const machine = Context.getOrUndefined(group.annotations, Machine)
      if (machine !== undefined) machines.push(machine)
      changes.push(...Context.getOrElse(group.annotations, Changes, () => []))
      const emitted = Context.getOrUndefined(group.annotations, Emits)
      refusedWith(Context.getOrElse(group.annotations, Refuses, () => []))
      for (const type of emitted?.types ?? []) if (emitted !== undefined) events.set(type, emitted.data)
    },
    onEndpoint: ({ endpoint, errors: refusals }) => {
      refusedWith(Array.from(refusals.values()).flat())
      const scope = Context.getOrUndefined(endpoint.annotations, RequiredScope)
      if (scope !== undefined) scopes.push(scope)
    }
  })
  return {
    scopes: new Set(scopes.sort()),
    machines,
    events,
    changes: since(changes, ""),
    delivers,
    errors: new Map(Array.from(errors).sort(([, one], [, other]) => one.status - other.status))
  }
}

/** Of the routes of the tool server. */
export const toolCatalog: Catalog = catalogOf(toolContract)

/** Of the packages of this service. */
export const catalog: Catalog = catalogOf(contract)

/** What restricted keys may be given: what some route asks for, and what it takes to let an agent key call tools. */
export const scopes: ReadonlySet<string> = new Set([...catalog.scopes, ...Array.from(toolScopes.values()).flat()].sort())
