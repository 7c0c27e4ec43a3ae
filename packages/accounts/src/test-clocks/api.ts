/** The routes of an account's test clock. */
import { Forbidden, InvalidState, NotFound } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { pathId } from "@svc/kernel/values/ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Does, forMerchants, RequiredScope } from "../access/api.ts"
import { testClockMachine } from "./machine.ts"
import { AdvanceTestClockRequest, TestClock, TestClockId } from "./model.ts"

const params = { id: pathId("clock", TestClockId) }

export class TestClocksGroup extends HttpApiGroup.make("test_clocks").add(
  HttpApiEndpoint.post("create", "/test_clocks", {
    success: [TestClock.pipe(HttpApiSchema.status(201)), TestClock],
    error: Forbidden
  })
    .annotate(RequiredScope, "test_clocks:write").annotate(Does, "manage")
    .annotateMerge(OpenApi.annotations({
      summary: "Give your account a test clock",
      description:
        "Sandbox accounts only. The clock begins at the present moment and then stands still: it is the time of everything in the account until you advance it. " +
        "An account has one clock, which only moves forward; for a fresh start make another sandbox account. 201 the first time; 200 with the clock as it stands when the account has one."
    })),
  HttpApiEndpoint.get("list", "/test_clocks", { query: pageQueryOf("clock"), success: PaginatedList(TestClock, "TestClockList") })
    .annotate(RequiredScope, "test_clocks:read")
    .annotateMerge(OpenApi.annotations({ summary: "List test clocks", description: "The one clock of your account, or none." })),
  HttpApiEndpoint.get("get", "/test_clocks/:id", { params, success: TestClock, error: NotFound })
    .annotate(RequiredScope, "test_clocks:read")
    .annotateMerge(
      OpenApi.annotations({ summary: "Retrieve a test clock", description: "While it is `advancing`, `now` tells how far it has come." })
    ),
  HttpApiEndpoint.post("advance", "/test_clocks/:id/advance", {
    params,
    payload: AdvanceTestClockRequest,
    success: TestClock,
    error: [NotFound, InvalidState]
  })
    .annotate(RequiredScope, "test_clocks:write").annotate(Does, "record")
    .annotateMerge(OpenApi.annotations({
      summary: "Advance a test clock",
      description:
        "Does everything that falls due up to `to`, in the order of time, each at its moment: holds that expire, questions to providers, retries of webhooks, and what follows from them. " +
        "Answers when all of it is done, or after 20 seconds with `status: advancing`: it goes on, and reading the clock tells when it is `ready`. " +
        "Only forward: an earlier `to` is refused, and so is a second advance while one is under way. " +
        "One advance goes at most five years and does at most 20,000 things: then it ends where it has got to, `stopped` says so, and another goes on from there."
    })),
  HttpApiEndpoint.post("cancel", "/test_clocks/:id/cancel", { params, success: TestClock, error: NotFound })
    .annotate(RequiredScope, "test_clocks:write").annotate(Does, "record")
    .annotateMerge(OpenApi.annotations({
      summary: "Cancel an advance",
      description:
        "Ends the advance that is under way: the clock stays at the moment that it has reached, and everything that is due there is done first. " +
        "Answers when it stands still, or after 20 seconds with `status: advancing`. A clock that stands still is answered as it stands."
    })),
  HttpApiEndpoint.delete("remove", "/test_clocks/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InvalidState] })
    .annotate(RequiredScope, "test_clocks:write").annotate(Does, "record")
    .annotateMerge(OpenApi.annotations({
      summary: "Remove the test clock",
      description:
        "The account lives by the world's time again. Refused with 409 while something depends on the clock: it is advancing, something waits for a moment of its time, such as a renewal or a settlement, " +
        "or it stands ahead of the world's time and something was made in the account since. `details.reason` and the message say which."
    }))
).pipe(forMerchants({ title: "Test clocks", description: "A sandbox account's own time, to see today what happens in a year." }))
  .annotate(Machine, testClockMachine)
{}
