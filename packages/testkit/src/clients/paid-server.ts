/** The smallest server that sells a call with the modules of `@svc/paywall/payment`: what is paid is kept in memory, and answered again. */
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { parseJson } from "@svc/kernel/values/json"
import * as Credentials from "@svc/paywall/payment/credentials"
import { Facilitator } from "@svc/paywall/payment/facilitator"
import { baseSepoliaUsdc, type Methods, type Payment, type Problem, type Purchase } from "@svc/paywall/payment/model"
import { write402 } from "@svc/paywall/payment/write-402"
import { DateTime, Effect, Redacted, Result, Schema } from "effect"
import { hash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

export const secret = Redacted.make("a secret that challenges are made with")
export const payTo = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"

export const methods: Methods = {
  card: { networkId: "profile_test", paymentMethodTypes: ["card"] },
  stablecoin: { ...baseSepoliaUsdc, payTo, facilitator: "0x857b06519E91e3A54538791bDbb0E22373e36b66" }
}

export const PRICE = 5
/** What the call comes to; a permission (`upto`) is charged so much of it. */
export const TAKEN = 3

const Call = Schema.Struct({
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Number])),
  params: Schema.Struct({
    name: Schema.String,
    arguments: Schema.Unknown,
    _meta: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  })
})
const decode = Schema.decodeUnknownSync(Call)

interface Reply {
  readonly result: unknown
  readonly receipt: Credentials.PaymentReceipt
}

const makeSeller = Effect.gen(function*() {
  const facilitator = yield* Facilitator
  const paid = new Map<string, Reply>()
  let calls = 0

  const sell = Effect.fnUntraced(function*(payment: Payment, purchase: Purchase, { keys, payer }: Credentials.CheckedPayment) {
    const again = keys.flatMap((key) => paid.get(key) ?? []).at(0)
    if (again !== undefined) return again
    const at = yield* DateTime.now
    const upto = payment._tag === "Stablecoin" && payment.signed.scheme === "upto"
    const cents = upto ? TAKEN : PRICE
    const settled = payment._tag === "Stablecoin" && methods.stablecoin !== undefined
      ? yield* facilitator.settle({ payment, cents: PRICE, stablecoin: methods.stablecoin }, cents)
      : { _tag: "Settled", transaction: `pi_${keys.join()}`, simulated: true } as const
    if (settled._tag !== "Settled") return yield* Effect.die(settled)
    const result = {
      paid_with: payment._tag,
      token: payment._tag === "Card" ? Redacted.value(payment.token) : undefined,
      payer,
      account: purchase.account ?? payment.challenge?.account,
      identifier: payment._tag === "Stablecoin" ? payment.identifier : undefined,
      scheme: payment._tag === "Stablecoin" ? payment.signed.scheme : undefined
    }
    const reply: Reply = {
      result,
      receipt: Credentials.receipt(payment, { reference: settled.transaction, at, cents, simulated: settled.simulated }, methods)
    }
    for (const key of keys) paid.set(key, reply)
    return reply
  })

  return Effect.fnUntraced(function*(request: IncomingMessage, body: string) {
    const { params } = decode(parseJson(body))
    const now = yield* DateTime.now
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value])
    )
    const call = { tool: params.name, mode: "standard", argumentsSha256: hash("sha256", canonicalize(params.arguments)) } as const
    const inBand = request.url === "/mcp"
    const { apiKey, credential } = Credentials.read({ headers, meta: params._meta ?? {}, body }, { call, methods, now, secret })
    const account = apiKey !== undefined && Redacted.value(apiKey) === "svck_test_1" ? "acct_1" : undefined
    const purchase: Purchase = { ...call, cents: PRICE, ...(account === undefined ? {} : { account }) }
    const demand = (problem?: Problem) => {
      const url = `http://${headers["host"] ?? ""}${request.url ?? ""}`
      return write402({
        purchase,
        methods,
        now,
        secret,
        url,
        accept: headers["accept-payment"],
        why: "PAYMENT_REQUIRED",
        callId: `call_${++calls}`,
        paymentUrl: `${url}/pay`,
        checkoutUrl: `${url}/buy`,
        ...(inBand ? {} : { body }),
        ...(problem === undefined ? {} : { problem })
      })
    }
    if (credential._tag === "None") return { asked: demand() }
    if (credential._tag === "Malformed") return { asked: demand(credential.problem) }
    const checked = Credentials.check(credential, { cents: PRICE, methods, now })
    return Result.isFailure(checked) ? { asked: demand(checked.failure) } : { sold: yield* sell(credential, purchase, checked.success) }
  })
})

/** Listens until the scope closes, and answers its address. `/call` asks in HTTP, `/mcp` in the result of the tool. */
export const serve = Effect.gen(function*() {
  const answer = yield* makeSeller
  const handle = Effect.fnUntraced(function*(request: IncomingMessage, response: ServerResponse) {
    const body = yield* Effect.promise(() => text(request))
    const { asked, sold } = { asked: undefined, sold: undefined, ...yield* answer(request, body) }
    const { id } = decode(parseJson(body))
    const inBand = request.url === "/mcp"
    response.setHeader("content-type", "application/json")
    if (asked !== undefined && !inBand) {
      response.writeHead(402, { ...asked.headers, "content-type": "application/problem+json", "www-authenticate": [...asked.authenticate] })
        .end(JSON.stringify(asked.body))
    } else if (asked !== undefined) {
      const result = {
        isError: true,
        structuredContent: asked.inBand,
        content: [],
        _meta: { "org.paymentauth/payment-required": { httpStatus: 402, challenges: asked.challenges } }
      }
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }))
    } else {
      for (const [name, value] of Object.entries(inBand ? {} : sold?.receipt.headers ?? {})) response.setHeader(name, value)
      response.end(
        JSON.stringify({ jsonrpc: "2.0", id, result: { structuredContent: sold?.result, content: [], _meta: sold?.receipt.meta } })
      )
    }
  })
  const context = yield* Effect.context<never>()
  const server = createServer((request, response) => {
    Effect.runPromiseWith(context)(handle(request, response)).catch((error: unknown) =>
      response.writeHead(500).end(JSON.stringify({ error: String(error) }))
    )
  })
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(typeof address === "object" && address !== null ? Effect.succeed(address.port) : Effect.die("no port"))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
  return `http://127.0.0.1:${port}`
})
