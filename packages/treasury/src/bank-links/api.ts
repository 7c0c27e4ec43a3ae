/** The routes of bank links. */
import { Does, forMerchants, NeedsConfirmation, RequiredScope } from "@svc/accounts/access/api"
import { endpointsOf, keyedErrors } from "@svc/accounts/routes/api"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { BankLinkProviderUnavailable } from "./errors.ts"
import { bankLinkMachine } from "./machine.ts"
import {
  bankLinkFilters,
  BankLinkJson,
  CreateBankLinkRequest,
  ExchangeBankLinkRequest,
  PayoutDestination,
  ProcessorTokenIssued,
  ProcessorTokenRequest,
  SimulateBankLinkRequest,
  SimulatedBankLink,
  VerifyPayoutRequest
} from "./model.ts"

// Whoever may set where money goes may do this, and nobody else.
const link = endpointsOf({ scope: "transfer_instruments", prefix: "bl", schema: BankLinkJson, list: "BankLinkList" })
const made = link.create(CreateBankLinkRequest)

export class BankLinksGroup extends HttpApiGroup.make("bank_links").add(
  HttpApiEndpoint.post("create", "/bank_links", { ...made, error: [...made.error, InvalidState, BankLinkProviderUnavailable] })
    .annotateMerge(link.makes(
      "manage",
      "Create a bank link",
      "Begins a link with the provider. Its `link_token` opens the provider's page, where a person signs in at their bank; that " +
        "gives a public token to exchange. In a sandbox `simulate` gives one."
    )),
  HttpApiEndpoint.get("list", "/bank_links", link.list(bankLinkFilters))
    .annotateMerge(link.reads("List bank links", "Newest first, of one status or of all.")),
  HttpApiEndpoint.get("get", "/bank_links/:id", link.get)
    .annotateMerge(link.reads("Retrieve a bank link", "Which accounts it linked, by their last four characters.")),
  HttpApiEndpoint.post("simulate", "/bank_links/:id/simulate", {
    ...byId,
    payload: SimulateBankLinkRequest,
    success: SimulatedBankLink,
    error: [NotFound, InvalidState]
  })
    .annotate(RequiredScope, "transfer_instruments:write").annotate(Does, "manage")
    .annotateMerge(described(
      "Sign in at the simulated bank",
      "In a sandbox: gives the public token that the provider's page would give, and changes nothing. `outcome` chooses what " +
        "its exchange comes to."
    )),
  HttpApiEndpoint.post("exchange", "/bank_links/exchange", {
    payload: ExchangeBankLinkRequest,
    success: BankLinkJson,
    error: [...keyedErrors, NotFound, InvalidState, BankLinkProviderUnavailable]
  })
    .annotateMerge(link.makes(
      "manage",
      "Exchange a public token",
      "Links the accounts of the bank. Their numbers are kept sealed. The same token again answers the same link, and links nothing more."
    )),
  HttpApiEndpoint.post("verify_payout", "/bank_links/:id/verify_payout", { ...link.act(VerifyPayoutRequest), success: PayoutDestination })
    .annotate(NeedsConfirmation, true)
    .annotateMerge(link.changes(
      "manage",
      "Make a linked account a payout destination",
      "Makes a transfer instrument of it, which is verified at once, because its bank vouched for the number. A bank account " +
        "has one: asked again, it is the same."
    )),
  HttpApiEndpoint.post("processor_token", "/bank_links/:id/processor_token", {
    ...byId,
    payload: ProcessorTokenRequest,
    success: ProcessorTokenIssued,
    error: [NotFound, InvalidState, VersionConflict, BankLinkProviderUnavailable]
  })
    .annotate(RequiredScope, "transfer_instruments:write").annotate(Does, "manage").annotate(AnswersSecret, true)
    .annotate(NeedsConfirmation, true)
    .annotateMerge(described(
      "Create a processor token",
      "With it your processor reaches a linked account. It is shown once: only a hash of it is kept. Without an " +
        "`Idempotency-Key`, repeating the request makes another."
    ))
).pipe(forMerchants({ title: "Bank links", description: "Bank accounts that a person links by signing in at their bank." }))
  .annotate(Machine, bankLinkMachine)
{}
