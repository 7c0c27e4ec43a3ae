/** What ids and paths look like, and which part of an artifact is shown. */
import type { ArtifactText, Citation } from "@svc/tool-kit/services/snapshots"
import { Schema } from "effect"
import { type Node, parseTree } from "jsonc-parser"
import { SnapshotId } from "./model.ts"

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const CHARACTERS = 26

/** The id that these 16 random bytes make. */
export const idOf = (bytes: Uint8Array): SnapshotId => {
  const number = BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
  const character = (n: number) => ALPHABET.charAt(Number((number >> BigInt(5 * (CHARACTERS - 1 - n))) & 31n))
  return SnapshotId.make(`snap_${Array.from({ length: CHARACTERS }, (_, n) => character(n)).join("")}`)
}

/** The month of a moment in ISO 8601, such as `2026-11`. */
export const monthOf = (at: string): string => at.slice(0, 7)

export const isSnapshotId = Schema.is(SnapshotId)

/** Why a path leads out of the snapshot, or is none; undefined where it may be asked for. */
export const pathProblem = (path: string): string | undefined => {
  if (path === "" || path.includes("\0")) return "is no path"
  if (path.includes("\\")) return "must have / between its parts"
  if (path.startsWith("/") || /^[A-Za-z]:/u.test(path)) return "must begin at the root of the snapshot, without a slash"
  return path.split("/").includes("..") ? "must not lead upwards" : undefined
}

type At = typeof Citation.Type

/** A step of a JSON pointer (RFC 6901) from a value to one that it holds. */
const memberOf = (node: Node | undefined, step: string): Node | undefined =>
  node?.type === "array"
    ? node.children?.[Number(step)]
    : node?.children?.find(({ children }) => children?.[0]?.value === step)?.children?.[1]

/** Where the value that a pointer names begins in the text. */
const placeOf = (root: Node | undefined, pointer: string): number | undefined =>
  pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")).reduce(memberOf, root)?.offset

/** Citations of what begins between two places of the text. */
const citationsIn = (text: string, citations: ReadonlyArray<At>, start: number, end: number): ReadonlyArray<At> => {
  if (start === end) return []
  const root = citations.some(({ at }) => typeof at === "string") ? parseTree(text) : undefined
  const first = text.slice(0, start).split("\n").length
  const last = first + text.slice(start, end - 1).split("\n").length - 1
  return citations.filter(({ at }) => {
    if (typeof at === "number") return at >= first && at <= last
    const place = placeOf(root, at) ?? 0
    return place >= start && place < end
  })
}

/** A part of an artifact. Offsets count characters, of which none is cut in two. */
export const partOf = (
  text: string,
  citations: ReadonlyArray<At>,
  { limit, offset }: { readonly offset: number; readonly limit: number }
): Omit<ArtifactText, "snapshot_id" | "path"> => {
  // Most texts have no character of two UTF-16 units.
  const characters = /[\u{10000}-\u{10FFFF}]/u.test(text) ? Array.from(text) : undefined
  const slice = (start: number, end: number): string => characters?.slice(start, end).join("") ?? text.slice(start, end)
  const total_characters = characters?.length ?? text.length
  const end = Math.min(total_characters, offset + limit)
  const shown = slice(offset, end)
  const start = slice(0, offset).length
  return {
    text: shown,
    citations: citationsIn(text, citations, start, start + shown.length),
    offset,
    total_characters,
    next_offset: end < total_characters ? end : null
  }
}
