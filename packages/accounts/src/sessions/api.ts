/** The routes of the sessions of an account's people. */
import { described } from "@svc/kernel/resource/api"
import { NotFound } from "@svc/kernel/resource/errors"
import { pageFieldsOf, pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { pathId } from "@svc/kernel/values/ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Does, forMerchants, forOperators, RequiredScope } from "../access/api.ts"
import { PersonSession, SessionId } from "./model.ts"

const one = { params: { id: pathId("ses", SessionId) }, success: PersonSession, error: NotFound }

const list = PaginatedList(PersonSession, "PersonSessionList")

export class PersonSessionsGroup extends HttpApiGroup.make("person_sessions").add(
  HttpApiEndpoint.get("list", "/person_sessions", { query: pageQueryOf("ses"), success: list })
    .annotate(RequiredScope, "person_sessions:read")
    .annotateMerge(described(
      "List sessions",
      "The browsers in which people are signed in, newest first. Owners and secret keys see all of the account, others their own."
    )),
  HttpApiEndpoint.get("get", "/person_sessions/:id", one)
    .annotate(RequiredScope, "person_sessions:read")
    .annotateMerge(described("Retrieve a session", "While it is open.")),
  HttpApiEndpoint.post("revoke", "/person_sessions/:id/revoke", one)
    .annotate(RequiredScope, "person_sessions:write").annotate(Does, "protect")
    .annotateMerge(
      described("Revoke a session", "At once. Owners and secret keys may revoke any of the account, everybody else their own.")
    )
).pipe(forMerchants({ title: "Sessions of people", description: "Where the people of an account are signed in." })) {}

export class OperatorPersonSessionsGroup extends HttpApiGroup.make("operator_person_sessions").add(
  HttpApiEndpoint.get("list", "/installation/person_sessions", { query: pageFieldsOf("ses"), success: list })
    .annotateMerge(
      described("List sessions of the installation", "The browsers in which people of the installation are signed in, newest first.")
    ),
  HttpApiEndpoint.get("get", "/installation/person_sessions/:id", one)
    .annotateMerge(described("Retrieve a session of the installation", "While it is open.")),
  HttpApiEndpoint.post("revoke", "/installation/person_sessions/:id/revoke", one)
    .annotateMerge(described("Revoke a session of the installation", "At once."))
).pipe(
  forOperators({ title: "Sessions of people (operator)", description: "Where the people of the installation are signed in." })
) {}
