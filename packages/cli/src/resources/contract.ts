/** The resources of the contract, as the command line calls them. */
import { isRecord } from "@svc/kernel/values/record"
import { contract } from "@svc/server/api"
import { Context } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"

export interface Verb {
  readonly name: string
  readonly summary: string
  readonly description: string
  /** Of the contract: the names of its group and of itself. */
  readonly group: string
  readonly identifier: string
  readonly endpoint: HttpApiEndpoint.Top
}

export interface Resource {
  readonly name: string
  readonly summary: string
  readonly verbs: ReadonlyArray<Verb>
}

/**
 * Groups whose resource is not called like them: `accounts` is a command of the operator already, and what changes a subscription is a
 * group of its own in the contract alone.
 */
const resourceOf: Readonly<Record<string, string>> = { accounts: "account", subscription_changes: "subscriptions" }

/** A name of the contract as people type it. */
export const typed = (name: string): string => name.replaceAll("_", "-")

const FIRST = ["list", "get", "create"]
const place = ({ name }: Verb): number => FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length

const LONGEST = 100

/** The first sentence of a description; of a long one, what comes before its first colon or comma. */
const summaryOf = (text: string): string => {
  const sentence = (/^.*?\.(?= |$)/su.exec(text)?.[0] ?? text).replace(/\.$/u, "")
  return sentence.length <= LONGEST ? sentence : /^.{20,}?(?=[:,] )/su.exec(sentence)?.[0] ?? sentence
}

const verbOf = (group: string, [identifier, endpoint]: readonly [string, unknown]): ReadonlyArray<Verb> => {
  if (!HttpApiEndpoint.isHttpApiEndpoint(endpoint)) return []
  const top = endpoint as HttpApiEndpoint.Top
  const summary = Context.getOrUndefined(top.annotations, OpenApi.Summary) ?? identifier
  const description = Context.getOrUndefined(top.annotations, OpenApi.Description) ?? ""
  return [{ name: typed(identifier), group, identifier, endpoint: top, summary, description }]
}

const resourcesOf = (): ReadonlyArray<Resource> => {
  const resources = new Map<string, Resource>()
  for (const { annotations, endpoints, identifier } of Object.values(contract.groups)) {
    const name = typed(resourceOf[identifier] ?? identifier)
    const { summary = summaryOf(Context.getOrUndefined(annotations, OpenApi.Description) ?? name), verbs = [] } = resources.get(name) ??
      {}
    const own = isRecord(endpoints) ? Object.entries(endpoints).flatMap((each) => verbOf(identifier, each)) : []
    resources.set(name, { name, summary, verbs: [...verbs, ...own].toSorted((a, b) => place(a) - place(b)) })
  }
  return Array.from(resources.values())
}

/** In the order of the contract. */
export const resources: ReadonlyArray<Resource> = resourcesOf()
