/**
 * How a resource is looked at by people: its list, its detail and what can be done with it, as data. Paths, scopes, filters and bodies are
 * read from the group of its routes, so that nobody can do more by looking than by asking.
 */
import type { Schema } from "effect"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

/**
 * How a value is shown. `money` is minor units of the currency in the field `currency` unless `of` names another, `state` a word of the
 * contract, `id` another resource's id, `time` a moment, `value` anything, as JSON.
 */
export type Kind = "text" | "state" | "money" | "number" | "time" | "id" | "flag" | "link" | "value"

type Within<Name extends string, Value> = Value extends string | number | ReadonlyArray<unknown> ? never
  : Value extends object ? `${Name}.${FieldOf<Value>}`
  : never

/** A field of what is shown; a dot leads into an object, such as `settings.billing.dunning`. */
export type FieldOf<Shows> = {
  [Name in keyof Shows & string]: Name | Within<Name, NonNullable<Shows[Name]>>
}[keyof Shows & string]

/**
 * The currency of a `money` that no field has. `each` is that of whatever the amount is compared with: it counts minor units, and is
 * written with two decimals.
 */
export type FixedCurrency = "USD" | "each"

export interface Shown<Field extends string> {
  readonly field: Field
  readonly as: Kind
  /** The field with the currency of a `money`. */
  readonly of?: string
  readonly currency?: FixedCurrency
  /** The view of an `id` whose text does not say of which kind it is, as customers' own do not. */
  readonly view?: string
  /** Of a `value` that is a list of objects: the columns of its table. A row without a currency has that of the resource. */
  readonly rows?: ReadonlyArray<Shown<string>>
}

/**
 * How a person gives a value. `many` are any of the choices and `lines` one text a line, both a list; `json` is text that is JSON; `file`
 * is the bytes of a file.
 */
export type InputKind = "text" | "long" | "money" | "number" | "time" | "choice" | "flag" | "id" | "many" | "lines" | "json" | "file"

/** What an installation has many of and no schema lists: they are known where the request is. */
export type Known = "scopes" | "tools" | "event_types"

/** How rows are told apart where a person chooses one. */
export interface Choosable<Field extends string> {
  readonly label: ReadonlyArray<Shown<Field>>
  /** Only rows with these values can be chosen. */
  readonly where?: Readonly<Record<string, string>>
  /** A flag: rows that have it come first, and say so. */
  readonly first?: Field
}

/**
 * Rows of which a person chooses one, for a field that names it: those of another view's list, asked in the person's own name, or those
 * that a field of the resource holds. Where they cannot be listed, or are too many, the field is free text.
 */
export type Offered =
  | ({ readonly held: string } & Choosable<string>)
  | {
    readonly view: string
    /** Parameters of the list, and the fields of the resource that they are: only what belongs to it is offered. */
    readonly by?: Readonly<Record<string, string>>
    /** Something else may be given as well, such as a token that no list has. */
    readonly open?: true
  }

/**
 * What a person gives for an action: a field of the request's body or path. A dot leads into an object. What the body must have and is
 * not asked for is `idempotency_key`. Beside a `file`, which is the body, the others are parameters of the query.
 */
export interface Input<Name extends string> {
  readonly field: Name
  readonly as: InputKind
  /** Of a `choice` or of `many`; left out, what the schema of the request allows. */
  readonly from?: ReadonlyArray<string> | Known
  /** Of an `id`, or of a text that is one: what there is to choose from. */
  readonly offers?: Offered
  /** Of `many`, a choice that stands for all: it gives each of them, or leaves the field out, which limits nothing. */
  readonly all?: "each" | "unlimited"
  /** The currency of a `money`: a field of the resource, or another input. */
  readonly of?: string
  readonly currency?: FixedCurrency
  /** The field of the resource that stands in the form at first. */
  readonly initially?: string
  /** Of a `money` that means all where it is left out: the field with all there was, and those with what of it is gone. */
  readonly most?: { readonly of: string; readonly less: ReadonlyArray<string> }
  readonly optional?: true
}

/** Something that can be done: an endpoint of the group, by its name. One that is a GET is looked at, or saved where it is a file. */
export interface Action<Name extends string, Field extends string, Asked extends string> {
  readonly endpoint: Name
  /** With one resource, or with none: then it makes one. */
  readonly on: "one" | "all"
  /** Where it can be done: the field of the resource, and the states. Left out, always; what is refused is told. */
  readonly when?: { readonly field: Field; readonly in: ReadonlyArray<string> }
  /** The field with the person who may not do it: who asked for something does not decide on it. */
  readonly notBy?: Field
  readonly asks: ReadonlyArray<Input<Asked>>
  /** Of a GET that answers a list: the columns of the table that stands on the page of the resource. */
  readonly rows?: ReadonlyArray<Shown<string>>
  /** An object of the body that takes the place of the stored one as a whole: what is emptied in it is left out. */
  readonly replaces?: string
  /** What cannot be taken back is asked for once more. */
  readonly final?: true
  /** The field of the answer that nobody can read again, such as a secret: the page shows it, once. */
  readonly reveals?: string
  /** The action that comes next, which people are told of once this one is done. */
  readonly next?: string
}

/** A list that stands below a detail: that of another view, narrowed by a filter to what belongs to the resource. */
export interface Related<Field extends string> {
  readonly view: string
  readonly filter: string
  readonly by: Field
}

/** Where a view stands among the others. */
export type Section = "money" | "customers" | "books" | "developers" | "agents" | "account" | "installation"

export interface View<
  Name extends string = string,
  Field extends string = string,
  Act extends string = string,
  Asked extends string = string
> {
  /** Begins its addresses, such as `payouts`. */
  readonly name: Name
  readonly section: Section
  readonly group: HttpApiGroup.Constraint
  /** Other groups with routes of the resource, such as those of the operator. */
  readonly also: ReadonlyArray<HttpApiGroup.Constraint>
  /** There is one in each account, or none: it has no list, `list` is `get`, and what makes it replaces it. */
  readonly single?: true
  /** The field that stands in the paths of one; `id` where left out. */
  readonly key?: Field
  /** The schema of the resource. */
  readonly resource: Schema.Constraint
  /** The endpoints that give the list and the one; without `get` the list is all there is. */
  readonly list: string
  readonly get?: string
  /** The endpoint that adds up the rows that the filters leave, for each currency. */
  readonly sums?: string
  readonly columns: ReadonlyArray<Shown<Field>>
  /** Parameters of the list's query that a person may set. */
  readonly filters: ReadonlyArray<string>
  /** How its rows are offered by forms that name one. */
  readonly choosable?: Choosable<Field>
  readonly facts: ReadonlyArray<Shown<Field>>
  readonly related: ReadonlyArray<Related<Field>>
  readonly actions: ReadonlyArray<Action<Act, Field, Asked>>
}

type EndpointOf<Group> = Group extends HttpApiGroup.Constraint ? keyof Group["endpoints"] & string : never

/** A view of what the schema `resource` says, by the endpoints of `group` and `also`: names that none has do not compile. */
export const viewOf = <
  Group extends HttpApiGroup.Constraint,
  Shows,
  const Name extends string,
  const Field extends FieldOf<Shows>,
  const Act extends EndpointOf<Group | Also> = never,
  const Asked extends string = never,
  Also extends HttpApiGroup.Constraint = Group
>(
  group: Group,
  resource: Schema.Constraint & { readonly Type: Shows },
  view: Omit<View<Name, Field, Act, Asked>, "group" | "also" | "resource" | "list" | "get" | "sums" | "related" | "actions"> & {
    readonly also?: ReadonlyArray<Also>
    readonly list?: EndpointOf<Group | Also>
    readonly get?: EndpointOf<Group | Also> | null
    readonly sums?: EndpointOf<Group | Also>
    readonly related?: ReadonlyArray<Related<Field>>
    readonly actions?: ReadonlyArray<Action<Act, Field, Asked>>
  }
): View<Name, Field, Act, Asked> => {
  const { actions = [], also = [], get = "get", related = [], ...rest } = view
  const list = view.list ?? (view.single === true && get !== null ? get : "list")
  return { ...rest, group, also, resource, list, related, actions, ...(get === null ? {} : { get }) }
}
