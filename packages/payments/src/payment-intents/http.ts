/** The handlers of the payment intent routes. */
import { Caller } from "@svc/accounts/access/model"
import type { AccountFacts } from "@svc/accounts/access/model"
import { summing } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { refusedFields, UNKNOWN } from "@svc/kernel/http/refused-fields"
import { respond } from "@svc/kernel/http/reply"
import type { Reply } from "@svc/kernel/http/reply"
import { shownPath } from "@svc/kernel/http/shown-path"
import type { CommandOn } from "@svc/kernel/resource/keyed-verbs"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpServerRequest as Request } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { makeCustomerKeys } from "../customer-keys/service.ts"
import { PaymentIntentsGroup, queryNames } from "./api.ts"
import type { PaymentIntentFilter } from "./model.ts"
import { METADATA_KEY_LENGTH } from "./model/metadata.ts"
import type { VoidRequest } from "./model/requests.ts"
import { PaymentIntents } from "./service.ts"

const api = HttpApi.make("svc").add(PaymentIntentsGroup)

/** The metadata key between the brackets: any text, also empty, with brackets or with line breaks. */
const metadataKey = (name: string): string | undefined => {
  const key = /^metadata\[(.*)\]$/s.exec(name)?.[1]
  return key === undefined || key.length > METADATA_KEY_LENGTH ? undefined : key
}

/** Reads `metadata[key]=value`. The merchant chooses the keys, so that no schema lists them. */
const metadataFilter = Effect.fnUntraced(function*() {
  const metadataByKey = new Map<string, string>()
  for (const [name, value] of Object.entries(yield* Request.ParsedSearchParams)) {
    if (queryNames.has(name)) continue
    const key = metadataKey(name)
    const code = shownPath([name]) || "query"
    if (key === undefined) return yield* refusedFields("query", [{ code, message: UNKNOWN }])
    if (typeof value !== "string") return yield* refusedFields("query", [{ code, message: "give one value" }])
    metadataByKey.set(key, value)
  }
  // Object.fromEntries defines properties: the key `__proto__` is an ordinary key.
  return metadataByKey.size === 0 ? {} : { metadata: Object.fromEntries(metadataByKey) }
})

interface Asked<Payload> {
  readonly payload: Payload
  readonly request: HttpServerRequest.HttpServerRequest
}

interface AskedOfOne<Payload> extends Asked<Payload> {
  readonly params: { readonly id: string }
}

/** Any body of a keyed request. */
type Keyable = Partial<typeof VoidRequest.Type>

/** The command of a request with a key. */
const commandOf = Effect.fnUntraced(function*<Payload extends Keyable>(operation: string, { payload, request }: Asked<Payload>) {
  const { account } = yield* Caller
  return { account, payload, keyed: yield* keyedRequest(`payment_intent.${operation}`, request, payload) }
})

/** The handler of a verb on one intent. `operation` is the name of the verb in the path. */
const verb = <Payload extends Keyable, E>(operation: string, act: (command: CommandOn<AccountFacts, Payload>) => Effect.Effect<Reply, E>) =>
  Effect.fnUntraced(function*(asked: AskedOfOne<Payload>) {
    const version = yield* Effect.fromResult(ifMatchOf(asked.request))
    return respond(yield* act({ ...(yield* commandOf(operation, asked)), id: asked.params.id, version }))
  })

export const layer = HttpApiBuilder.group(
  api,
  "payment_intents",
  Effect.fnUntraced(function*(handlers) {
    const intents = yield* PaymentIntents
    const { narrowed } = yield* makeCustomerKeys
    const own = Effect.fnUntraced(function*(id: string) {
      return yield* intents.get((yield* Caller).account.id, id)
    })
    return handlers.handleAll({
      create: Effect.fnUntraced(function*(asked) {
        const command = yield* commandOf("create", asked)
        const { payment_method_id = null } = command.payload
        return respond(
          payment_method_id === null
            ? yield* intents.create(command)
            : yield* intents.createAndAuthorize({ ...command, payload: { ...command.payload, payment_method_id } })
        )
      }),
      authorize: verb("authorize", intents.authorize),
      capture: verb("capture", intents.capture),
      refund: verb("refund", intents.refund),
      void: verb("void", intents.void),
      approve: verb("approve", intents.approve),
      reject: verb("reject", intents.reject),
      get: ({ params }) => own(params.id),
      attempts: ({ params }) => Effect.map(own(params.id), ({ attempts }) => ({ data: attempts })),
      routing: ({ params }) =>
        Effect.map(own(params.id), ({ attempts, routing, selected_rail }) => ({
          selected_rail,
          rules: routing?.rules ?? [],
          candidates: routing?.candidates ?? [],
          attempts
        })),
      sums: summing((account, filter: PaymentIntentFilter) =>
        Effect.flatMap(narrowed(account, filter), (known) => intents.sums(account, known))
      ),
      list: Effect.fnUntraced(function*({ query }) {
        const { account } = yield* Caller
        const page = yield* Effect.fromResult(checkPage(query))
        const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...named } = query
        const filter: PaymentIntentFilter = { ...(yield* narrowed(account.id, named)), ...(yield* metadataFilter()) }
        return yield* listOwn(account.id, page, intents.list(account.id, filter, page))
      })
    })
  })
)
