/** Packages that are too heavy for a first start: which they are, and how far they are. */
import { Data } from "effect"

/** Packages that are fetched together, by a lock file of their own. */
export interface PackageGroup {
  readonly name: string
  /** Holds `package.json` and `package-lock.json`, which has the hash of every package. */
  readonly folder: string
  /** What the packages bring, as the beginning of a sentence. */
  readonly brings: string
  /** Of disk, when they are fetched. */
  readonly megabytes: number
  /** Programs of the machine that the operator may install instead, where there are any. */
  readonly instead?: string
}

export type FetchState =
  | { readonly _tag: "Ready"; readonly folder: string }
  /** Fetched when they are first needed. */
  | { readonly _tag: "Missing" }
  | { readonly _tag: "UnderWay" }
  | NotFetched

/** The packages are not there, and are not on their way: why, and what would change it. */
export class NotFetched extends Data.TaggedError("NotFetched")<{ readonly message: string; readonly remedy: string }> {}

/** The packages are on their way. */
export class BeingFetched extends Data.TaggedError("BeingFetched")<{ readonly message: string }> {}

/** What is weaker until the packages are there, in a sentence; undefined when they are. */
export const fetchNote = ({ brings, megabytes }: PackageGroup, state: FetchState): string | undefined => {
  switch (state._tag) {
    case "Ready":
      return undefined
    case "Missing":
      return `${brings}: fetched when first needed (${megabytes} MB)`
    case "UnderWay":
      return `${brings}: being fetched`
    case "NotFetched":
      return `${state.message} ${state.remedy}`
  }
}
