/**
 * Lists: `page` and `per_page` for people, `after` and `before` cursors for programs. A page costs the
 * database no more than {@link COUNT_CAP} rows however long the list is, so deep pages are refused and
 * totals stop counting there; cursors have no limit.
 *
 * A cursor is an id of the kind that the list holds, and an id names a place: it carries the time it was
 * made. The page holds the caller's own items that follow or precede this place. An id of another kind, or
 * text that is no id, is refused with a 400; whether an item has the id is not asked. So a cursor goes on
 * working when its item is gone, and an id of another merchant answers as one that was never given out.
 */
import { Effect, PartitionedSemaphore, Result, Schema } from "effect"
import { asHeavy, giveWayFor, LONG_STATEMENTS_AT_ONCE } from "../http/giving-way.ts"
import { idPattern, idShape } from "../values/ids.ts"
import type { Prefix } from "../values/ids.ts"
import { Timestamp } from "../values/time.ts"
import { ValidationError } from "./errors.ts"
import { fitting, MAX_PAGE_BYTES } from "./page-size.ts"

/** Rows counted for `total`, and the deepest row a numbered page may reach. */
export const COUNT_CAP = 10_000

const MAX_PER_PAGE = 100
const DEFAULT_PER_PAGE = 20
const FIRST_PAGE = 1

const wholeNumber = (minimum: number, maximum: number, message: string) =>
  Schema.Finite.annotate({ message }).check(Schema.isInt({ message }).abort(), Schema.isBetween({ minimum, maximum }, { message }))

const [FOLLOW, PRECEDE] = ["that follow", "that precede"] as const

const cursor = (side: typeof FOLLOW | typeof PRECEDE, prefix: Prefix) =>
  Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(idPattern(prefix), {
        message: `Expected a cursor: the id of an item of this list, ${idShape(prefix)}`,
        description: `Id of an item of this list; the page holds the items ${side} it${
          side === PRECEDE
            ? ". Not for waiting for new items: an id is made a moment before its item can be read, and a later one may be there first. GET /v1/events with after_seq misses nothing"
            : ""
        }`
      })
    )
  )

/** The query fields that every list of items with this id prefix has. */
export const pageFieldsOf = (prefix: Prefix) => ({
  // Not a decoding default: a page that was asked for is refused beside a cursor, one that was not is the first.
  page: Schema.optionalKey(
    wholeNumber(FIRST_PAGE, COUNT_CAP, `Expected a page number from 1 to ${COUNT_CAP}; use the after cursor to read further`)
      .annotate({ description: "Page number, from 1. Not used together with a cursor", default: FIRST_PAGE })
  ),
  per_page: wholeNumber(1, MAX_PER_PAGE, `Expected 1 to ${MAX_PER_PAGE} items a page`)
    .annotate({ description: `Items a page, 1 to ${MAX_PER_PAGE}`, default: DEFAULT_PER_PAGE })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(DEFAULT_PER_PAGE))),
  after: cursor(FOLLOW, prefix),
  before: cursor(PRECEDE, prefix)
} as const)

/** Whose items a list is of. */
export const ownerQuery = {
  merchant_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "With a key of an account only its own id finds anything. With an operator key, the account whose items are listed."
    })
  )
} as const

/** The query fields of a list of an account's items with this id prefix; spread them into the `query` of an endpoint. */
export const pageQueryOf = (prefix: Prefix) => ({ ...pageFieldsOf(prefix), ...ownerQuery } as const)

/** For the query of a list: made from one moment on, and before another. */
export const createdBetween = { "created_at[gte]": Schema.optionalKey(Timestamp), "created_at[lt]": Schema.optionalKey(Timestamp) } as const

const PageQuery = Schema.Struct(pageQueryOf("pi"))

/** What a list is asked for, decoded. */
export type PageRequest = typeof PageQuery.Type

const hasCursor = ({ after, before }: PageRequest): boolean => after !== undefined || before !== undefined

/** Rows to skip before the page. Zero with a cursor, which stands where a page number would. */
export const offsetOf = (request: PageRequest): number => hasCursor(request) ? 0 : ((request.page ?? FIRST_PAGE) - 1) * request.per_page

/**
 * What no field can say alone: the page must lie within the first {@link COUNT_CAP} rows, and at most one of
 * `page`, `after` and `before` is given. Fails with the 400 that names the parameter.
 */
export const checkPage = <Request extends PageRequest>(request: Request): Result.Result<Request, ValidationError> => {
  if (request.after !== undefined && request.before !== undefined) {
    return Result.fail(new ValidationError({ code: "before", message: "before: give either after or before, not both" }))
  }
  if (request.page !== undefined && hasCursor(request)) {
    return Result.fail(
      new ValidationError({
        code: "page",
        message: `page: give either page or ${
          request.after === undefined ? "before" : "after"
        }, not both. A cursor says where the page begins, so leave page out`
      })
    )
  }
  if (offsetOf(request) + request.per_page > COUNT_CAP) {
    return Result.fail(
      new ValidationError({
        code: "page",
        message:
          `page: numbered pages reach the first ${COUNT_CAP} items only, and page ${request.page} of ${request.per_page} lies beyond. ` +
          "Pass the id of the last item you have as after to read on from there"
      })
    )
  }
  return Result.succeed(request)
}

/**
 * A page as large as an answer may be. One that is asked for by its number is whole or refused: the next number would leave out what it
 * lacks.
 */
const withinBytes = <Item>(request: PageRequest, page: Page<Item>): Result.Result<Page<Item>, ValidationError> => {
  const backwards = request.before !== undefined
  const fits = fitting(backwards ? page.data.toReversed() : page.data)
  if (fits === page.data.length) return Result.succeed(page)
  if (request.page === undefined) {
    return Result.succeed({ ...page, data: backwards ? page.data.slice(-fits) : page.data.slice(0, fits), has_more: true })
  }
  return Result.fail(
    new ValidationError({
      code: "page",
      message: `page: the items of this page take more than ${
        MAX_PAGE_BYTES / 1024 ** 2
      } MiB. Ask for fewer with per_page, or leave page out and pass the id of the last item you have as after to read on from there`
    })
  )
}

/**
 * Lists that this process reads at one time, the accounts in turn. Rows of many at once would fill its memory, and hold up what is short.
 * A statement that was sent sends its rows, whether anybody waits for them or not: so it keeps its place to its end.
 */
const reading = PartitionedSemaphore.makeUnsafe<string>({ permits: 3 })

/** Long pages among them, which take a place of their own first, so that they leave places to short ones. */
const readingLong = PartitionedSemaphore.makeUnsafe<string>({ permits: LONG_STATEMENTS_AT_ONCE })

/** A page of more items is long work, which takes a millisecond for each so many: reading, encoding and sending them. */
const SHORT_PAGE = 25

/** Reads a list when it is its turn. A long page gives way to short requests before it begins. */
const inPlace = <A, E, R>(account: string, { per_page }: PageRequest, list: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const read = reading.withPermit(account)(Effect.uninterruptible(list))
  return per_page <= SHORT_PAGE
    ? read
    : asHeavy(readingLong.withPermit(account)(Effect.andThen(giveWayFor(per_page / SHORT_PAGE), read)))
}

/**
 * A list that is asked for another merchant's items is empty, and does not tell whether that merchant exists.
 * What is wrong with the page is said in either case.
 */
export const listOwn = <Item, E, R>(
  account: string,
  request: PageRequest,
  list: Effect.Effect<Page<Item>, E, R>
): Effect.Effect<Page<Item>, E | ValidationError, R> =>
  request.merchant_id === undefined || request.merchant_id === account
    ? Effect.flatMap(inPlace(account, request, list), (page) => Effect.fromResult(withinBytes(request, page)))
    : Effect.fromResult(Result.map(checkPage(request), () => paginate(request, [], 0)))

/** The answer of a list of `item`, with an example that holds the item's; `identifier` names it in OpenAPI, such as `PaymentIntentList`. */
export const PaginatedList = <Item extends Schema.Constraint, const Identifier extends string>(item: Item, identifier: Identifier) => {
  const list = Schema.Struct({
    data: Schema.Array(item),
    total: Schema.Natural.annotate({ description: "Items in the whole list" }),
    page: Schema.Natural.annotate({ description: "Page number, from 1" }),
    per_page: Schema.Natural.annotate({ description: "Items asked for a page" }),
    has_more: Schema.Boolean.annotate({
      description:
        `Whether more items follow; with before, whether more precede. False on the last numbered page, at ${COUNT_CAP} items, however many follow: read on with after. A page ends early where its items take more than ${
          MAX_PAGE_BYTES / 1024 ** 2
        } MiB`
    }),
    total_is_estimate: Schema.optionalKey(
      Schema.Boolean.annotate({ description: `True when the list is longer than ${COUNT_CAP} items, where counting stops` })
    )
  }).annotate({ identifier })
  const [example] = Schema.resolveAnnotations(item)?.examples ?? []
  return example === undefined
    ? list
    : list.annotate({ examples: [{ data: [example], total: 1, page: FIRST_PAGE, per_page: DEFAULT_PER_PAGE, has_more: false }] })
}

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
  // Whoever goes by numbers until there is no more must not be refused on the way.
  const reachable = hasCursor(request) || offsetOf(request) + 2 * request.per_page <= COUNT_CAP
  return {
    data: rows.slice(first, first + request.per_page),
    total: Math.min(counted, COUNT_CAP),
    page: request.page ?? FIRST_PAGE,
    per_page: request.per_page,
    has_more: extra && reachable,
    ...(counted > COUNT_CAP ? { total_is_estimate: true } : {})
  }
}
