/** What the files of imports are looked for in. */
import type { Fact } from "../model.ts"

export interface Resolvable {
  readonly paths: ReadonlyArray<string>
  readonly manifests: ReadonlyArray<Fact<"manifest">>
  readonly resolutions: ReadonlyArray<Fact<"resolution">>
}

/** The files that an import means, the likeliest first: several where a folder is imported. */
export type Resolve = (fact: Fact<"import">) => ReadonlyArray<string>
