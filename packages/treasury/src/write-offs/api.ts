/** The routes of write-offs: the operator makes them, the merchant sees them. */
import { forMerchants, forOperators } from "@svc/accounts/access/api"
import { endpointsOf, keyedErrors } from "@svc/accounts/routes/api"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound, ValidationError } from "@svc/kernel/resource/errors"
import { pageFieldsOf } from "@svc/kernel/resource/pages"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { CreateWriteOffRequest, writeOffFilters, WriteOffJson } from "./model.ts"

const writeOff = endpointsOf({ scope: "reserves", prefix: "wo", schema: WriteOffJson, list: "WriteOffList" })
const listed = writeOff.list(writeOffFilters)

export class WriteOffsGroup extends HttpApiGroup.make("write_offs").add(
  HttpApiEndpoint.get("list", "/write_offs", listed)
    .annotateMerge(writeOff.reads("List write-offs", "Newest first, of one currency or of all.")),
  HttpApiEndpoint.get("get", "/write_offs/:id", writeOff.get)
    .annotateMerge(writeOff.reads("Retrieve a write-off", "What was owed, and why it is owed no longer."))
).pipe(forMerchants({ title: "Write-offs", description: "Debts of the account that the operator bears." })) {}

export class OperatorWriteOffsGroup extends HttpApiGroup.make("operator_write_offs").add(
  HttpApiEndpoint.get("list", "/operator/write_offs", { query: { ...pageFieldsOf("wo"), ...writeOffFilters }, success: listed.success })
    .annotateMerge(described("List write-offs of all accounts", "Newest first, of one currency or of all.")),
  HttpApiEndpoint.get("get", "/operator/write_offs/:id", writeOff.get)
    .annotateMerge(described("Retrieve a write-off of any account", "What was owed by which account, and why it is owed no longer.")),
  HttpApiEndpoint.post("create", "/write_offs", {
    ...writeOff.create(CreateWriteOffRequest),
    error: [...keyedErrors, ValidationError, NotFound, InvalidState]
  }).annotate(ReadsIdempotencyKey, true)
    .annotateMerge(
      described(
        "Write a debt off",
        "Raises an available balance below zero to zero, or by part of what is owed, at the platform's cost: an entry `fee_refunded` " +
          "about `write_off`. " +
          "409 where the account owes nothing, and while money is pending or reserved in the currency, which may pay the debt. An " +
          "account that owes nothing any more can be closed."
      )
    )
).pipe(forOperators({ title: "Write-offs (operator)", description: "For the operator of the installation, with an operator key." })) {}
