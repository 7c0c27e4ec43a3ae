/** The page a customer sees for a sandbox payment that asks for a step, and what its two buttons do. */
import { exponentOf } from "@svc/kernel/currency"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (title: string, content: string, status = 200) =>
  HttpServerResponse.text(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:1rem/1.5 system-ui;max-width:28rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;margin-right:.5rem}</style>
<h1>${title}</h1>${content}</html>`, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff"
    }
  })

/** 1999 USD as 19.99 USD; whole numbers throughout, as money is no float. */
const amountOf = ({ amount, currency }: PaymentIntent): string => {
  const digits = exponentOf(currency)
  const text = String(amount).padStart(digits + 1, "0")
  return `${digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`} ${currency}`
}

const gone = page("Nothing to confirm", "<p>This payment is not waiting for its customer. It was confirmed already, or its time is over.</p>", 404)

const key = Effect.map(HttpRouter.params, (params) => params["key"] ?? "")

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const intents = yield* PaymentIntents
  const answer = (passed: boolean) =>
    key.pipe(
      Effect.flatMap((name) => intents.completeAction(name, passed)),
      Effect.map(({ state }) => page(passed ? "Confirmed" : "Given up", `<p>The payment is now <strong>${escape(state)}</strong>. You may close this page.</p>`)),
      Effect.catchTag("NotFound", () => Effect.succeed(gone))
    )
  yield* router.add("GET", "/sim/actions/:key", key.pipe(
    Effect.flatMap(intents.waitingForAction),
    Effect.map((intent) => page("Confirm the payment", `<p>The bank's simulator asks: is this payment of <strong>${escape(amountOf(intent))}</strong> yours?</p>
<form method="post" action="${escape(intent.next_action?.url.split("/").at(-1) ?? "")}/pass"><button>Yes, confirm</button><button formaction="${escape(intent.next_action?.url.split("/").at(-1) ?? "")}/fail">No</button></form>`)),
    Effect.catchTag("NotFound", () => Effect.succeed(gone))
  ))
  yield* router.add("POST", "/sim/actions/:key/pass", answer(true))
  yield* router.add("POST", "/sim/actions/:key/fail", answer(false))
}))
