/** The routes of an account's test clock. */
import { Forbidden, InvalidState, NotFound } from "@svc/kernel/errors"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Does, forMerchants, RequiredScope } from "../access/api.ts"
import { testClockMachine } from "./machine.ts"
import { AdvanceTestClockRequest, TestClock, TestClockId } from "./model.ts"

const params = { id: TestClockId }

export class TestClocksGroup extends HttpApiGroup.make("test_clocks").add(
  HttpApiEndpoint.post("create", "/test_clocks", {
    success: [TestClock.pipe(HttpApiSchema.status(201)), TestClock],
    error: Forbidden
  })
    .annotate(RequiredScope, "test_clocks:write")
    .annotateMerge(OpenApi.annotations({
      summary: "Give your account a test clock",
      description: "Sandbox accounts only. The clock begins at the present moment and then stands still: it is the time of everything in the account until you advance it. " +
        "An account has one clock, which only moves forward and is never removed; for a fresh start make another sandbox account. 201 the first time; 200 with the clock as it stands when the account has one."
    })),
  HttpApiEndpoint.get("list", "/test_clocks", { query: pageQueryOf("clock"), success: PaginatedList(TestClock, "TestClockList") })
    .annotate(RequiredScope, "test_clocks:read")
    .annotateMerge(OpenApi.annotations({ summary: "List test clocks", description: "The one clock of your account, or none." })),
  HttpApiEndpoint.get("get", "/test_clocks/:id", { params, success: TestClock, error: NotFound })
    .annotate(RequiredScope, "test_clocks:read")
    .annotateMerge(OpenApi.annotations({ summary: "Retrieve a test clock", description: "While it is `advancing`, `now` tells how far it has come." })),
  HttpApiEndpoint.post("advance", "/test_clocks/:id/advance", {
    params,
    payload: AdvanceTestClockRequest,
    success: TestClock,
    error: [NotFound, InvalidState]
  })
    .annotate(RequiredScope, "test_clocks:write").annotate(Does, "record")
    .annotateMerge(OpenApi.annotations({
      summary: "Advance a test clock",
      description: "Does everything that falls due up to `to`, in the order of time, each at its moment: holds that expire, questions to providers, retries of webhooks, and what follows from them. " +
        "Answers when all of it is done, or after 20 seconds with `status: advancing`: it goes on, and reading the clock tells when it is `ready`. " +
        "Only forward: an earlier `to` is refused, and so is a second advance while one is under way."
    }))
).pipe(forMerchants({ title: "Test clocks", description: "A sandbox account's own time, to see today what happens in a year." }))
  .annotate(Machine, testClockMachine) {}
