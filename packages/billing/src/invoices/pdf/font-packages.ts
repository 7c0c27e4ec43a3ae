/** The packages of fonts on this machine: which are here, and how a document waits for those that it needs. */
import { makePlaces } from "@svc/kernel/http/places"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect, Schedule } from "effect"
import { type FontFolders, type FontGroup, fontGroups } from "./font-groups.ts"

/** How long a document waits for its letters. A client that waits for a PDF waits 30 s. */
const PATIENCE = "20 seconds"
const BETWEEN_LOOKS = "250 millis"

/** Documents that wait for their letters. */
const PLACES = { what: "PDFs that wait for fonts", atOnce: 60, waiting: 0, ofAccount: 30, retryAfter: 20 }

export const makeFontPackages = Effect.gen(function*() {
  const { atStart, folderOf, state } = yield* FetchedPackages
  const { keep } = makePlaces(PLACES)
  yield* Effect.forEach(fontGroups, (group) => atStart(group, Effect.succeed(true)))

  /** The folders of what is here. */
  const here: Effect.Effect<FontFolders> = Effect.map(
    Effect.forEach(
      fontGroups,
      (group) => Effect.map(state(group), (known) => known._tag === "Ready" ? [[group.name, known.folder] as const] : [])
    ),
    (found) => Object.fromEntries(found.flat())
  )

  /** Why a group is not here; undefined when it is. */
  const arrival = (group: FontGroup) =>
    folderOf(group).pipe(
      Effect.retry({ while: ({ _tag }) => _tag === "BeingFetched", schedule: Schedule.spaced(BETWEEN_LOOKS) }),
      Effect.as(undefined),
      Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.succeed("They are still being fetched: print it again later.") }),
      Effect.catch((error) => Effect.succeed("remedy" in error ? `${error.message} ${error.remedy}` : error.message))
    )

  /** Fetches the groups and waits. Answers why some are not here then. */
  const arrive = (account: string, groups: ReadonlyArray<FontGroup>) =>
    Effect.scoped(Effect.andThen(keep(account), Effect.forEach(groups, arrival, { concurrency: "unbounded" }))).pipe(
      Effect.map((reasons) => reasons.filter((reason) => reason !== undefined))
    )

  return { here, arrive }
})
