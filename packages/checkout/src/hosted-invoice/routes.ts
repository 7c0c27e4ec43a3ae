/** The page of an invoice, its PDF, and its payment, for whoever has the address: on the listener of the payments API. Looking changes nothing. */
import type { Invoice } from "@svc/billing/invoices/model"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer, gone, orBroken, redirected, saying, tongueOf, tooMany } from "../answers.ts"
import { isToken } from "../card-frame.ts"
import { isOwn, queryOf, readForm } from "../forms.ts"
import { PageLimit } from "../limits.ts"
import { cameTo } from "../owed/model.ts"
import { portalMessagesOf } from "../portal/messages.ts"
import { ended, payPage, pending, thanks, type Wrong } from "./pay-views.ts"
import { makePaying } from "./paying.ts"
import { invoicePage, type Opened } from "./views.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What `hosted_token` looks like; what does not is not asked for. */
const TOKEN = /^[0-9a-f]{32}$/u

const makePages = Effect.gen(function*() {
  const { open, pay } = yield* makePaying

  /** The form, or where the invoice stands when there is nothing to pay any more. */
  const form = (opened: Opened, wrong?: Wrong, status = 200): Response => {
    const { owed, path, payable } = opened
    if (owed === undefined || (!payable && cameTo(owed) !== "paid")) return redirected(path)
    return payable && cameTo(owed) !== "pending" ? answer(payPage(opened, owed, wrong), status) : redirected(`${path}/paid`)
  }

  return {
    open,
    show: (opened: Opened) => Effect.succeed(answer(invoicePage(opened))),
    form: (opened: Opened, request: Request) => Effect.succeed(form(opened, queryOf(request, "declined") === undefined ? undefined : "declined")),
    pay: Effect.fnUntraced(function*(opened: Opened, request: Request) {
      const { account, path, tongue } = opened
      if (!isOwn(request)) return answer(saying(tongue, portalMessagesOf(tongue).notAllowed), 403)
      const sent = yield* readForm(request)
      const [number, token] = [Number(sent("try")), sent("token")]
      if (!isToken(account, token)) return form(opened, "card", 400)
      return yield* pay(opened, { number, token }).pipe(
        Effect.as(redirected(`${path}/paid?go`)),
        Effect.catch(({ _tag }) => Effect.succeed(_tag === "ValidationError" ? form(opened, "card", 400) : form(opened, "unavailable", 409)))
      )
    }),
    paid: (opened: Opened, request: Request) => {
      const { owed, path, payable } = opened
      if (owed === undefined || owed.cycle.attempts.length === 0) return Effect.succeed(redirected(path))
      const came = cameTo(owed)
      if (came === "paid") return Effect.succeed(answer(thanks(opened, owed)))
      if (came === "pending") return Effect.succeed(answer(pending(opened, owed, request.url.endsWith("?go"))))
      return Effect.succeed(payable ? redirected(`${path}/pay?declined`) : answer(ended(opened, owed)))
    }
  }
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [invoices, limit] = [yield* Invoices, yield* PageLimit]
  const { inTimeOf } = yield* accountTime
  const pages = yield* makePages

  const document = Effect.fnUntraced(function*({ account_id, id }: Invoice) {
    const { bytes, name } = yield* invoices.pdf(account_id, id)
    return HttpServerResponse.uint8Array(bytes, {
      contentType: "application/pdf",
      headers: { "content-disposition": `inline; filename="${name}"`, "cache-control": "no-store", "x-content-type-options": "nosniff" }
    })
  })

  type Shown = (opened: Opened, request: Request) => Effect.Effect<Response, { readonly _tag: string }>

  /** Of the network: before anything is looked for, as anybody can make up a token. Of the invoice: once there is one. */
  const limited = (shown: Shown): Shown => (opened, request) =>
    Effect.flatMap(limit.takeOfPage(opened.invoice.id), (may) => may ? shown(opened, request) : Effect.succeed(tooMany(tongueOf(request))))

  /** In the time of the invoice's account. `costly`: so many an hour and no more. */
  const at = (shown: Shown, costly = false) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { token = "" } = yield* HttpRouter.params
      const tongue = tongueOf(request)
      if (!TOKEN.test(token)) return gone(tongue)
      if (costly && !(yield* limit.takeOfNetwork(request))) return tooMany(tongue)
      const page = Effect.flatMap(pages.open(token), (opened) => inTimeOf(opened.account.id)((costly ? limited(shown) : shown)(opened, request)))
      return yield* orBroken(tongue, Effect.catch(page, ({ _tag }) => Effect.succeed(_tag === "RateLimited" ? tooMany(tongue) : gone(tongue))))
    })

  yield* router.add("GET", "/invoices/:token", at(pages.show))
  yield* router.add("GET", "/invoices/:token/pay", at(pages.form))
  yield* router.add("POST", "/invoices/:token/pay", at(pages.pay, true))
  yield* router.add("GET", "/invoices/:token/paid", at(pages.paid))
  yield* router.add("GET", "/invoices/:token/pdf", at(({ invoice }) => document(invoice), true))
}))
