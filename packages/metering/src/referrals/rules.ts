/** What a referral earns, and what a token looks like. */
import type { Cents } from "@svc/tool-kit/call"
import { createHash } from "node:crypto"
import { milestones, REWARD } from "./model.ts"

/** Always the same of an account. It is made to be passed on: it opens nothing, and tells no one whose it is. */
export const tokenOf = (account: string): string =>
  `ref_${createHash("sha256").update(`referral of ${account}`).digest("hex").slice(0, 20)}`

const TOKEN = /^ref_[0-9a-f]{20}$/u

export const isToken = (text: string): boolean => TOKEN.test(text)

/** Of the account that came as this many-th to pay, counted from 1: the milestone that it reaches comes on top. */
export const rewardOf = (paying: number): Cents => REWARD + (milestones.find(({ at }) => at === paying)?.cents ?? 0)
