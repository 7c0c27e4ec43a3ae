/** The handlers of the routes of snapshots. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { ToolCallers } from "@svc/accounts/tool-callers/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { whileTaken } from "@svc/kernel/http/streamed"
import { Forbidden, RateLimited, Unauthorized } from "@svc/kernel/resource/errors"
import { SigningKey } from "@svc/kernel/signatures/signing-key"
import { accountByItsKey, keyIn } from "@svc/metering/access/model"
import { CallLimit } from "@svc/metering/rate-limits/call-limit"
import type { StoreBusy } from "@svc/stores/model"
import { ANONYMOUS } from "@svc/stores/snapshots/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import type { NotConfigured } from "@svc/tool-kit/backend"
import type { ContentDiscarded, SnapshotNotFound } from "@svc/tool-kit/services/errors"
import { Analyzer } from "@svc/tool-kit/services/snapshots"
import { Duration, Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { SCOPE, SnapshotsGroup } from "./api.ts"
import { bundleOf } from "./bundle.ts"
import { NoArtifact, NoContent, NoPlace, NoProgram, NoRoom, NoSnapshot, NotHere, NotReadable, SnapshotsBusy } from "./errors.ts"
import { GZIP } from "./model.ts"

const api = HttpApi.make("tools").add(SnapshotsGroup)

const RETRY = { retry_after: 5 }
const busy = ({ message }: StoreBusy) => Effect.fail(new SnapshotsBusy({ message, details: RETRY }))
const noSnapshot = ({ message }: SnapshotNotFound) => Effect.fail(new NoSnapshot({ message }))
const missing = { SnapshotNotFound: noSnapshot, StoreBusy: busy }
const discarded = ({ message }: ContentDiscarded) => Effect.fail(new NoContent({ message }))

/** An agent key may do here what its policy lets it do by a tool. */
const allows = ({ credential }: ToolCaller, tools: ReadonlyArray<string>): boolean => {
  const allowed = credential.kind === "api_key" ? undefined : credential.policy.allowed_tools
  return allowed === undefined || tools.some((tool) => allowed.includes(tool))
}

const readers = ["get_artifact"]
const makers = ["analyze_repo", "analyze_files"]

/** In which a piece of a bundle is taken. */
const PATIENCE = Duration.seconds(20)

const away = ({ detail, reason, remediation }: NotConfigured) => {
  const message = `${detail} ${remediation}`
  if (reason === "store_busy") return Effect.fail(new SnapshotsBusy({ message, details: RETRY }))
  if (reason === "sandbox_busy") return Effect.fail(new NoPlace({ message, details: RETRY }))
  return Effect.fail(new NotHere({ message }))
}

export const layer = HttpApiBuilder.group(
  api,
  "snapshots",
  Effect.fnUntraced(function*(handlers) {
    const store = yield* SnapshotStore
    const analyzer = yield* Analyzer
    const callers = yield* ToolCallers
    const signingKey = yield* SigningKey
    const limit = yield* CallLimit

    /** The account of the key; without a key whoever knows the id of an anonymous snapshot. */
    const viewerOf = Effect.fnUntraced(function*(
      { headers, remoteAddress }: HttpServerRequest.HttpServerRequest,
      tools: ReadonlyArray<string> = readers
    ) {
      const key = keyIn(headers)
      const caller = key === undefined ? undefined : yield* Effect.catchTag(
        callers.findWith(key, SCOPE),
        "ToolKeyRefused",
        ({ detail }) => Effect.fail(new Unauthorized({ message: `The key does not open this. ${detail}` }))
      )
      const retry_after = yield* limit.take(caller, Option.getOrUndefined(remoteAddress))
      if (retry_after !== undefined) {
        return yield* new RateLimited({ message: `Too many requests. Wait ${retry_after} s and send again.`, details: { retry_after } })
      }
      if (caller !== undefined && !allows(caller, tools)) {
        return yield* new Forbidden({
          message: `The policy of this agent key lets it call none of ${tools.join(", ")}, which do the same.`
        })
      }
      return caller?.account.id ?? ANONYMOUS
    })

    return handlers.handleAll({
      search: Effect.fnUntraced(function*({ params: { id }, query: { q }, request }) {
        const viewer = yield* viewerOf(request)
        const hits = yield* Effect.catchTags(store.search(viewer, id, q), { ...missing, ContentDiscarded: discarded })
        return { snapshot_id: id, hits }
      }),
      bundle: Effect.fnUntraced(function*({ params: { id }, query: { program }, request }) {
        const { artifacts, texts } = yield* Effect.catchTag(
          store.bundle(yield* viewerOf(request), id, program),
          "SnapshotNotFound",
          noSnapshot
        )
        if (artifacts.length === 0) {
          return yield* new NoArtifact({
            message: program === undefined
              ? "The snapshot has no artifacts. get_snapshot tells its status."
              : `The snapshot has no artifacts of ${program}. The tool ${program} makes them.`
          })
        }
        const bytes = yield* whileTaken(bundleOf(texts, signingKey), PATIENCE)
        return HttpServerResponse.stream(bytes, {
          contentType: GZIP,
          headers: {
            "content-disposition": `attachment; filename="${id}.tar.gz"`,
            "x-content-type-options": "nosniff",
            "cache-control": "no-store"
          }
        })
      }),
      run: Effect.fnUntraced(function*({ params: { id, name }, request }) {
        const viewer = yield* viewerOf(request, makers)
        return yield* analyzer.get.pipe(
          Effect.flatMap(({ program }) => program({ snapshot_id: id, program: name }, viewer)),
          Effect.catchTags({
            SnapshotNotFound: noSnapshot,
            ContentDiscarded: discarded,
            ProgramNotFound: ({ message }) => Effect.fail(new NoProgram({ message })),
            Unreadable: ({ message }) => Effect.fail(new NotReadable({ message })),
            SnapshotLimit: ({ message }) => Effect.fail(new NoRoom({ message })),
            NotConfigured: away
          })
        )
      }),
      discard: Effect.fnUntraced(function*({ params: { id } }) {
        yield* Effect.catchTags(store.discard(yield* accountByItsKey, id), missing)
      }),
      endSession: Effect.fnUntraced(function*() {
        yield* Effect.catchTag(store.discardAll(yield* accountByItsKey), "StoreBusy", busy)
      })
    })
  })
)
