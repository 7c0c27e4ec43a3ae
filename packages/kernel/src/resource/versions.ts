/** Optimistic locking: a change is decided on one version of a resource, and made only while that is the current one. */
import { Effect, Result } from "effect"
import { CommitRefused } from "../road/committer.ts"
import { VersionConflict } from "./errors.ts"

/** The resource, unless the caller expects another version of it than this. `name` is what people call it, such as `payment intent`. */
export const atVersion = <R extends { readonly version: number }>(
  name: string,
  resource: R,
  expected: number | undefined
): Result.Result<R, VersionConflict> =>
  expected === undefined || expected === resource.version
    ? Result.succeed(resource)
    : Result.fail(
      new VersionConflict({
        message: `The ${name} is at version ${resource.version}, not ${expected}. Read it again and decide anew.`,
        details: { version: resource.version }
      })
    )

/**
 * A change loses a race this often before its caller is told. One of those who race wins each time, so this many may want one resource at
 * once.
 */
export const MAX_RACES = 100

/** What a caller is told whose change lost that often. */
export const keptChanging = (name: string): VersionConflict =>
  new VersionConflict({ message: `The ${name} kept changing while this request ran. Read it again and decide anew.` })

/** For changes that are not written by the road: somebody else was faster. */
export const lostRace = (): CommitRefused => new CommitRefused({ reason: "version" })

/** Whether a change lost its race: made again, it may be carried out. */
export const isLostRace = (error: unknown): error is CommitRefused => error instanceof CommitRefused

const again = (error: unknown): boolean => isLostRace(error)

/** Loads, decides and commits, again from the start as long as somebody else was faster. */
export const untilCommitted = <A, E, R>(
  name: string,
  change: Effect.Effect<A, E | CommitRefused, R>
): Effect.Effect<A, E | VersionConflict, R> =>
  change.pipe(
    Effect.retry({ times: MAX_RACES - 1, while: again }),
    Effect.mapError((error) => isLostRace(error) ? keptChanging(name) : error)
  )
