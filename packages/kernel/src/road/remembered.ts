/**
 * Resources that this process wrote a moment ago and that are usually changed again at once, so that the next change need
 * not read them. Another process may have changed one since: a decision on it is refused by its version, and a refusal of
 * the rules on it is to be checked against the database.
 */
import { Effect, Hash } from "effect"

export interface ResourceMemory<R> {
  /** The resource as this process last wrote it, if it remembers. Whose it is, the caller asks. */
  readonly recall: (id: string) => R | undefined
  /** Runs the commit that writes the resource, and remembers it as it then is; a refused commit makes it forgotten. */
  readonly written: <E, Req>(resource: R, commit: Effect.Effect<void, E, Req>) => Effect.Effect<void, E, Req>
}

/** Places, a power of two. */
const PLACES = 1_024

/** `isWanted` says which resources are likely to be changed again soon; others are forgotten. */
export const remembered = <R extends { readonly id: string }>(isWanted: (resource: R) => boolean): ResourceMemory<R> => {
  // A table of places and not a Map: each time a busy Map is laid out anew it leaves its old table behind, which holds what was in it
  // until a full collection (docs/decisions/0014). Two resources of one place forget each other, which costs a read.
  const places = Array.from<unknown, R | undefined>({ length: PLACES }, () => undefined)
  const placeOf = (id: string): number => Hash.string(id) & (PLACES - 1)
  const recall = (id: string): R | undefined => {
    const entry = places[placeOf(id)]
    return entry?.id === id ? entry : undefined
  }
  const remember = (resource: R) => {
    places[placeOf(resource.id)] = isWanted(resource) ? resource : undefined
  }
  const forget = ({ id }: R) => {
    if (recall(id) !== undefined) places[placeOf(id)] = undefined
  }
  return {
    recall,
    written: (resource, commit) =>
      commit.pipe(
        Effect.tap(() => Effect.sync(() => remember(resource))),
        Effect.tapError(() => Effect.sync(() => forget(resource)))
      )
  }
}
