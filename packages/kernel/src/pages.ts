/**
 * Lists: `page` and `per_page` for people, `after` and `before` cursors for programs. A page costs the
 * database no more than {@link COUNT_CAP} rows however long the list is, so deep pages are refused and
 * totals stop counting there; cursors have no limit.
 */
import { Effect, Result, Schema } from "effect"
import { ValidationError } from "./errors.ts"

/** Rows counted for `total`, and the deepest row a numbered page may reach. */
export const COUNT_CAP = 10_000

const MAX_PER_PAGE = 100
const DEFAULT_PER_PAGE = 20

const wholeNumber = (minimum: number, maximum: number, message: string) =>
  Schema.Finite.annotate({ message }).check(Schema.isInt({ message }).abort(), Schema.isBetween({ minimum, maximum }, { message }))

const cursor = (side: string) =>
  Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[A-Za-z0-9_.:-]{1,255}$/u, {
        message: "Expected a cursor: the id of an item of this list",
        description: `Id of an item of this list; the page holds the items ${side} it`
      })
    )
  )

/** The query fields that every list has. */
export const pageFields = {
  page: wholeNumber(1, COUNT_CAP, `Expected a page number from 1 to ${COUNT_CAP}; use the after cursor to read further`)
    .annotate({ description: "Page number, from 1. Not used together with a cursor", default: 1 })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))),
  per_page: wholeNumber(1, MAX_PER_PAGE, `Expected 1 to ${MAX_PER_PAGE} items a page`)
    .annotate({ description: `Items a page, 1 to ${MAX_PER_PAGE}`, default: DEFAULT_PER_PAGE })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(DEFAULT_PER_PAGE))),
  after: cursor("that follow"),
  before: cursor("that precede")
} as const

/** The query fields of a list of an account's items; spread them into the `query` of an endpoint. */
export const pageQuery = {
  ...pageFields,
  merchant_id: Schema.optionalKey(Schema.String.annotate({ description: "Only your own id finds anything." }))
} as const

const PageQuery = Schema.Struct(pageQuery)

/** What a list is asked for, decoded. */
export type PageRequest = typeof PageQuery.Type

/** Rows to skip before the page. Zero with a cursor, which replaces the page number. */
export const offsetOf = ({ page, per_page, after, before }: PageRequest): number =>
  after === undefined && before === undefined ? (page - 1) * per_page : 0

/**
 * What no field can say alone: the page must lie within the first {@link COUNT_CAP} rows, and at most one
 * cursor is given. Fails with the 400 that names the parameter.
 */
export const checkPage = <Request extends PageRequest>(request: Request): Result.Result<Request, ValidationError> => {
  if (request.after !== undefined && request.before !== undefined) {
    return Result.fail(new ValidationError({ code: "before", message: "Give either after or before, not both" }))
  }
  if (offsetOf(request) + request.per_page > COUNT_CAP) {
    return Result.fail(new ValidationError({
      code: "page",
      message: `Numbered pages reach the first ${COUNT_CAP} items only, and page ${request.page} of ${request.per_page} lies beyond. ` +
        "Pass the id of the last item you have as after to read on from there"
    }))
  }
  return Result.succeed(request)
}

/** A list that is asked for another merchant's items is empty, and does not tell whether that merchant exists. */
export const listOwn = <Item, E, R>(account: string, request: PageRequest, list: Effect.Effect<Page<Item>, E, R>): Effect.Effect<Page<Item>, E, R> =>
  request.merchant_id === undefined || request.merchant_id === account ? list : Effect.succeed(paginate(request, [], 0))

/** The answer of a list of `item`; `identifier` names it in OpenAPI, such as `PaymentIntentList`. */
export const PaginatedList = <Item extends Schema.Constraint, const Identifier extends string>(item: Item, identifier: Identifier) =>
  Schema.Struct({
    data: Schema.Array(item),
    total: Schema.Natural.annotate({ description: "Items in the whole list" }),
    page: Schema.Natural.annotate({ description: "Page number, from 1" }),
    per_page: Schema.Natural.annotate({ description: "Items asked for a page" }),
    has_more: Schema.Boolean.annotate({ description: "Whether more items follow; with before, whether more precede" }),
    total_is_estimate: Schema.optionalKey(
      Schema.Boolean.annotate({ description: `True when the list is longer than ${COUNT_CAP} items, where counting stops` })
    )
  }).annotate({ identifier })

/** A page as data, before its items are encoded. */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly has_more: boolean
  readonly total_is_estimate?: boolean
}

/**
 * Assembles the answer. `rows` are the page's rows in list order with one row more when there is one,
 * which tells `has_more` without counting; with `before` the extra row comes first. `counted` is the
 * number of matching rows, counted no further than COUNT_CAP + 1.
 */
export const paginate = <Item>(request: PageRequest, rows: ReadonlyArray<Item>, counted: number): Page<Item> => {
  const extra = rows.length > request.per_page
  const first = extra && request.before !== undefined ? 1 : 0
  return {
    data: rows.slice(first, first + request.per_page),
    total: Math.min(counted, COUNT_CAP),
    page: request.page,
    per_page: request.per_page,
    has_more: extra,
    ...(counted > COUNT_CAP ? { total_is_estimate: true } : {})
  }
}
