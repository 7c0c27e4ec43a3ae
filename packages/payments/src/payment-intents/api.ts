/** The routes of payment intents. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  RateLimited,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { Sums, sumsQueryOf } from "@svc/kernel/resource/sums"
import { Currency } from "@svc/kernel/values/currency"
import { Timestamp } from "@svc/kernel/values/time"
import { Context, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { QuoteExpired } from "../quotes/errors.ts"
import { RailName, RoutingLog } from "../rails/model.ts"
import { RatesUnavailable } from "../rates/errors.ts"
import { AmountTooLarge, CardDeclined, PaymentInFlight, ProviderUnavailable } from "./errors.ts"
import { paymentIntentMachine } from "./machine.ts"
import { paymentIntentEvents, PaymentIntentJson, PaymentIntentState, paymentIntentSums } from "./model.ts"
import { Attempt, attemptExample } from "./model/attempts.ts"
import {
  AuthorizeRequest,
  CaptureRequest,
  CreatePaymentIntentRequest,
  RefundRequest,
  ReviewRequest,
  VoidRequest
} from "./model/requests.ts"

/** The errors of every change with a key. */
const keyedErrors = [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict] as const
const changeErrors = [...keyedErrors, NotFound, InvalidState, PaymentInFlight, ProviderUnavailable] as const
/** The errors of captures: the payment may be settled in another currency. */
const exchangeErrors = [QuoteExpired, RatesUnavailable] as const
const chargeErrors = [...changeErrors, ...exchangeErrors, CardDeclined, AccountSuspended] as const

/** The annotations of every verb on one intent. */
const verb = Context.make(RequiredScope, "payment_intents:write").pipe(
  Context.add(ReadsIfMatch, true),
  Context.add(ReadsIdempotencyKey, true)
)

/** The annotations of reviews: the scope of approvals also decides on the payment itself. */
const decides = verb.pipe(Context.add(RequiredScope, "approvals:write"))

const filters = {
  state: Schema.optionalKey(PaymentIntentState),
  currency: Schema.optionalKey(Currency),
  "amount[gte]": Schema.optionalKey(Schema.Int),
  "amount[lte]": Schema.optionalKey(Schema.Int),
  "created_at[gte]": Schema.optionalKey(Timestamp),
  "created_at[lt]": Schema.optionalKey(Timestamp),
  customer_id: Schema.optionalKey(Schema.String),
  selected_rail: Schema.optionalKey(RailName),
  provider_reference: Schema.optionalKey(Schema.String),
  q: Schema.optionalKey(Schema.String.annotate({ description: "An id, customer, provider reference or idempotency key, exactly." }))
}

const listQuery = { ...pageQueryOf("pi"), ...filters }

/** The parameters of the list that have fixed names; the handler refuses others but `metadata[key]`. */
export const queryNames: ReadonlySet<string> = new Set(Object.keys(listQuery))

/** The body of a review, with an example key. */
const review = (idempotency_key: string) => ReviewRequest.annotate({ examples: [{ idempotency_key }] })

export class PaymentIntentsGroup extends HttpApiGroup.make("payment_intents").add(
  HttpApiEndpoint.post("create", "/payment_intents", {
    payload: CreatePaymentIntentRequest,
    success: [PaymentIntentJson.pipe(HttpApiSchema.status(201)), PaymentIntentJson],
    error: [
      ...keyedErrors,
      InvalidState,
      PaymentInFlight,
      ProviderUnavailable,
      ...exchangeErrors,
      CardDeclined,
      AmountTooLarge,
      AccountSuspended
    ]
  }).annotate(RequiredScope, "payment_intents:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a payment intent",
      "With `payment_method_id` it is authorized in the same request, and with `capture: true` captured: 402 when the money is " +
        "refused. Without it nothing is charged yet. " +
        "201 the first time, 200 when the key is replayed."
    )),
  HttpApiEndpoint.get("list", "/payment_intents", {
    query: listQuery,
    success: PaginatedList(PaymentIntentJson, "PaymentIntentList")
  }).annotate(HttpApi.QueryParseOptions, { errors: "all" }).annotate(RequiredScope, "payment_intents:read")
    .annotateMerge(described(
      "List payment intents",
      "Newest first. Filter with `metadata[key]=value` too. `total` is exact up to 10,000. Page with `page`, or with `after` and " +
        "`before` ids, which stay fast however far you go."
    )),
  HttpApiEndpoint.get("sums", "/payment_intents/sums", {
    query: sumsQueryOf(filters),
    success: Sums(paymentIntentSums, "PaymentIntentSums"),
    error: RateLimited
  }).annotate(RequiredScope, "payment_intents:read")
    .annotateMerge(described(
      "Add up payment intents",
      "Of all that the filters leave, for each currency: what was asked for, captured, refunded, disputed, and the fees. " +
        "It takes as long as there are many: narrow it by time."
    )),
  HttpApiEndpoint.get("get", "/payment_intents/:id", { ...byId, success: PaymentIntentJson, error: NotFound })
    .annotate(RequiredScope, "payment_intents:read")
    .annotateMerge(
      described(
        "Retrieve a payment intent",
        "With its attempts and refunds; compare `captured_amount` and `refunded_amount` before sending a new key."
      )
    ),
  HttpApiEndpoint.post("authorize", "/payment_intents/:id/authorize", {
    ...byId,
    payload: AuthorizeRequest,
    success: PaymentIntentJson,
    error: chargeErrors
  }).annotateMerge(verb).annotate(Does, "charge")
    .annotateMerge(
      described(
        "Authorize a payment intent",
        "Routes it to a rail and holds the money; with `capture: true` takes it at once. 402 when the money is refused."
      )
    ),
  HttpApiEndpoint.post("capture", "/payment_intents/:id/capture", {
    ...byId,
    payload: CaptureRequest,
    success: PaymentIntentJson,
    error: [...changeErrors, ...exchangeErrors, AccountSuspended]
  }).annotateMerge(verb).annotate(Does, "charge")
    .annotateMerge(described("Capture a payment intent", "Takes all or part of the held money, once; the rest of the hold is let go.")),
  HttpApiEndpoint.post("void", "/payment_intents/:id/void", {
    ...byId,
    payload: VoidRequest,
    success: PaymentIntentJson,
    error: changeErrors
  }).annotateMerge(verb).annotate(Does, "refund")
    .annotateMerge(described("Void a payment intent", "Cancels it before capture and lets go of the hold.")),
  HttpApiEndpoint.post("refund", "/payment_intents/:id/refund", {
    ...byId,
    payload: RefundRequest,
    success: PaymentIntentJson,
    error: changeErrors
  }).annotateMerge(verb).annotate(Does, "refund")
    .annotateMerge(described(
      "Refund a payment intent",
      "Gives back part of what was captured, or all that is left when `amount` is absent. Check the id in the answer. " +
        "A payment has at most 200 refunds, and the last of them takes all that is left. " +
        "A person's refunds above `settings.people.second_look_above` wait for another person, who gives a second look; keys are not asked."
    )),
  HttpApiEndpoint.post("approve", "/payment_intents/:id/approve", {
    ...byId,
    payload: review("b1b1de4f-ccf4-461c-89a6-90ad36169cc8"),
    success: PaymentIntentJson,
    error: chargeErrors
  }).annotateMerge(decides).annotate(Does, "charge")
    .annotateMerge(
      described("Approve a held payment intent", "A blocked intent may then be authorized; one that waits for approval is authorized now.")
    ),
  HttpApiEndpoint.post("reject", "/payment_intents/:id/reject", {
    ...byId,
    payload: review("c6e3b2c9-2dec-4e31-a2e8-63f730772057"),
    success: PaymentIntentJson,
    error: changeErrors
  }).annotateMerge(decides).annotate(Does, "refund")
    .annotateMerge(described("Reject a held payment intent", "Cancels an intent that is blocked or waits for approval.")),
  HttpApiEndpoint.get("attempts", "/payment_intents/:id/attempts", {
    ...byId,
    success: Schema.Struct({ data: Schema.Array(Attempt) }).annotate({ identifier: "PaymentAttemptList" })
      .pipe(Schema.annotateEncoded({ examples: [{ data: [attemptExample] }] })),
    error: NotFound
  }).annotate(RequiredScope, "payment_intents:read")
    .annotateMerge(described("List the attempts of a payment intent", "Every call to a rail, with its outcome.")),
  HttpApiEndpoint.get("routing", "/payment_intents/:id/routing", {
    ...byId,
    success: Schema.Struct({
      selected_rail: Schema.NullOr(RailName),
      rules: RoutingLog.fields.rules,
      candidates: RoutingLog.fields.candidates,
      attempts: Schema.Array(Attempt)
    }).annotate({ identifier: "PaymentRouting" }).pipe(Schema.annotateEncoded({
      examples: [{
        selected_rail: attemptExample.rail,
        rules: [{ rule: "large payments", matched: false, reason: "amount is below 10000" }],
        candidates: [{ rail: "card_a", score: 100, reason: "fallback order" }, { rail: "usdc", score: 0, reason: "does not take card" }],
        attempts: [attemptExample]
      }]
    })),
    error: NotFound
  }).annotate(RequiredScope, "payment_intents:read")
    .annotateMerge(described("Read the routing decision", "The rules tried, the score of each rail, and what each rail answered."))
).pipe(forMerchants({ title: "Payment intents", description: "One attempt to move a customer's money, from request to refund." }))
  .annotate(Machine, paymentIntentMachine).annotate(Emits, paymentIntentEvents)
{}
