/** The routes of snapshots that are no tools. `DELETE /v1/snapshots/{id}` is the tool delete_snapshot. */
import { RequiredScope } from "@svc/accounts/access/api"
import { byId, described } from "@svc/kernel/resource/api"
import { Forbidden, RateLimited, Unauthorized, ValidationError } from "@svc/kernel/resource/errors"
import { forCallers, ToolAuthorization } from "@svc/metering/access/api"
import { Context, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { NoArtifact, NoContent, NoPlace, NoProgram, NoRoom, NoSnapshot, NotHere, NotReadable, SnapshotsBusy } from "./errors.ts"
import { BundleBody, BundleQuery, SnapshotProgramRun, SnapshotSearchQuery, SnapshotSearchResult } from "./model.ts"

/** Of a key of the payments API. */
export const SCOPE = "snapshots:read"

/** With a key, or with the id alone of a snapshot that belongs to nobody. */
const readable = (summary: string, description: string) =>
  Context.merge(
    described(
      summary,
      `${description} With a key of its account, a restricted one with the scope ${SCOPE}; ` +
        "a snapshot that was made without a key is open to whoever has its id."
    ),
    Context.merge(Context.make(RequiredScope, SCOPE), Context.make(OpenApi.Override, { security: [{ tool_key: [] }, {}] }))
  )

/** What every route answers that needs no key. */
const forReaders = [NoSnapshot, Forbidden, Unauthorized, RateLimited, ValidationError] as const

export class SnapshotsGroup extends HttpApiGroup.make("snapshots").add(
  HttpApiEndpoint.get("search", "/snapshots/:id/search", {
    ...byId,
    query: SnapshotSearchQuery,
    success: SnapshotSearchResult,
    error: [...forReaders, NoContent, SnapshotsBusy]
  }).annotateMerge(readable(
    "Search a snapshot",
    "Lines of its source and of its artifacts that hold words of a query. Costs nothing."
  )),
  HttpApiEndpoint.get("bundle", "/snapshots/:id/bundle.tar.gz", {
    ...byId,
    query: BundleQuery,
    success: BundleBody,
    error: [...forReaders, NoArtifact]
  }).annotateMerge(readable(
    "Read a snapshot's artifacts as a tarball",
    "All artifacts at their paths, to be unpacked into the repository, or those of closer or deploy alone. Costs nothing. The same " +
      "artifacts give the same bytes. Beside `packaging/attestation/attestation.json` stands `attestation.dsse.json`: the statement in " +
      "an envelope (DSSE 1.0) that this installation signed, by a key of `/.well-known/jwks.json`. An artifact that is replaced " +
      "meanwhile ends the answer."
  )),
  HttpApiEndpoint.post("run", "/snapshots/:id/programs/:name", {
    params: { id: Schema.String, name: Schema.String.annotate({ description: "As list_programs names it" }) },
    success: SnapshotProgramRun,
    error: [...forReaders, NoProgram, NoContent, NotReadable, NoRoom, NotHere, SnapshotsBusy, NoPlace]
  }).annotateMerge(readable(
    "Run one program over a snapshot",
    "Makes the artifacts of one program anew, of the source that the snapshot keeps: those that were paid for, or the free ones. Costs " +
      "nothing. An agent key needs a policy that lets it call analyze_repo or analyze_files."
  )),
  HttpApiEndpoint.post("discard", "/snapshots/:id/discard", {
    ...byId,
    success: HttpApiSchema.NoContent,
    error: [NoSnapshot, SnapshotsBusy, Forbidden]
  }).middleware(ToolAuthorization).annotateMerge(described(
    "Discard the source of a snapshot",
    "Its artifacts stay. What needs the source answers `content_discarded` from then on."
  )),
  HttpApiEndpoint.delete("endSession", "/session", { success: HttpApiSchema.NoContent, error: [SnapshotsBusy, Forbidden] })
    .middleware(ToolAuthorization)
    .annotateMerge(described(
      "Discard the source of all snapshots",
      "The log-out of the account: the source of each of its snapshots is discarded, and what is cached of it. Artifacts and keys stay."
    ))
).pipe(forCallers({ title: "Snapshots", description: "What analyses left." })) {}
