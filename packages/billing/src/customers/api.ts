/** The routes of customers. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { described } from "@svc/kernel/resource/api"
import { IdempotencyInProgress, IdempotencyKeyReused, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CreateCustomerRequest, customerFilters, CustomerJson, UpdateCustomerRequest } from "./model.ts"

const id = { params: { id: Schema.String.annotate({ description: "The customer's id, or your own reference of the customer" }) } }

export class CustomersGroup extends HttpApiGroup.make("customers").add(
  HttpApiEndpoint.post("create", "/customers", {
    payload: CreateCustomerRequest,
    success: [CustomerJson.pipe(HttpApiSchema.status(201)), CustomerJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict]
  }).annotate(RequiredScope, "customers:write").annotate(Does, "record").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a customer",
      "Not needed before a customer is named elsewhere: a reference that is not known yet makes its customer. " +
        "A reference that is taken, or that looks like an id (`cus_` and 26 characters), is refused with `code=customer_id`: " +
        "requests and filters find a customer by either. " +
        "201 the first time, 200 when the key is replayed."
    )),
  HttpApiEndpoint.get("list", "/customers", {
    query: {
      ...pageQueryOf("cus"),
      ...customerFilters
    },
    success: PaginatedList(CustomerJson, "CustomerList")
  }).annotate(RequiredScope, "customers:read")
    .annotateMerge(described("List customers", "Newest first, of one reference or email address, or all.")),
  HttpApiEndpoint.get("get", "/customers/:id", { ...id, success: CustomerJson, error: NotFound })
    .annotate(RequiredScope, "customers:read")
    .annotateMerge(described("Retrieve a customer", "By its id or by your own reference.")),
  HttpApiEndpoint.patch("update", "/customers/:id", {
    ...id,
    payload: UpdateCustomerRequest,
    success: CustomerJson,
    error: [NotFound, VersionConflict]
  })
    .annotate(RequiredScope, "customers:write").annotate(Does, "record").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update a customer",
      "Changes the fields that are sent; the reference stays for ever. " +
        "A new default payment method is tried at once where a charge is owed by a subscription without a method of its own, " +
        "or whose own was revoked or is another customer's; what has one, such as a subscription that a checkout sold, " +
        "is given another with `PATCH /v1/subscriptions/{id}`. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    ))
).pipe(forMerchants({ title: "Customers", description: "To whom you sell, by your own references." })) {}
