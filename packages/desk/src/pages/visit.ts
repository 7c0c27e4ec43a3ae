/** One request of a person who is signed in. */
import type { SignedInPerson } from "@svc/accounts/access/model"
import type { Html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { EndpointFacts } from "../api/endpoints.ts"

export interface Visit {
  readonly person: SignedInPerson
  readonly name: string
  /** Null in the installation. */
  readonly account_name: string | null
  /** What every form of this session sends along: a page of another site does not know it. */
  readonly form_token: string
  readonly pageLocale: PageLocale
  /** Where people reach this service, without a slash at the end. */
  readonly public_url: string
  /** What was done just now, to be said once. */
  readonly notice?: string | undefined
  /** Where the person goes to their other accounts. */
  readonly switcher?: Html | undefined
}

/** Who reads a value, and where: what it leads to depends on it. */
export type Reader = Pick<Visit, "pageLocale" | "person" | "public_url">

/** Whether the person may use an endpoint that asks for this scope; undefined is what owners alone may. */
export const may = ({ person }: Pick<Visit, "person">, scope: string | undefined): boolean =>
  person.role === "owner" || (scope !== undefined && person.scopes.has(scope))

/** Whether the person may use this endpoint: that of an account, or of the installation. */
export const mayUse = (visit: Pick<Visit, "person">, { realm, scope }: Pick<EndpointFacts, "realm" | "scope">): boolean =>
  (realm === "installation") === (visit.person.account === null) && may(visit, scope)
