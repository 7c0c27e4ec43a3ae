/** The engine that a confined child runs over files of an agent: the plan that hardens it out. */
import { inflateRawSync } from "node:zlib"
import type { HardenAnswer, HardenOptions } from "../hardening/model.ts"
import { planOf } from "../hardening/plan.ts"
import { unpack } from "./pack.ts"

/** Bytes of a file. A larger one was skipped before. */
const MOST = 1024 * 1024

export const engine = (bytes: Uint8Array, { secrets, shown }: HardenOptions): Promise<HardenAnswer> => {
  const isShown = new Set(shown)
  const files = unpack(bytes).map(({ bytes: deflated, name: path }) => ({
    path,
    text: inflateRawSync(deflated, { maxOutputLength: MOST }).toString(),
    isShown: isShown.has(path)
  }))
  return planOf(files, secrets)
}
