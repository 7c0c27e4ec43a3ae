/** `Accept-Payment`: which methods a client can pay with, and which it would rather, such as `stripe/charge, evm/*;q=0.5`. */
import type { Challenge } from "./mpp-challenge.ts"

const ENTRY = /^([a-z0-9-]+|\*)\s*\/\s*([a-z0-9-]+|\*)(?:\s*;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/u
const MOST_CHARS = 1024

interface Entry {
  readonly method: string
  readonly intent: string
  readonly q: number
}

const read = (entry: string): ReadonlyArray<Entry> => {
  const [, method, intent, q] = ENTRY.exec(entry.trim()) ?? []
  return method === undefined || intent === undefined ? [] : [{ method, intent, q: Number(q ?? 1) }]
}

const fits = (asked: string, offered: string): boolean => asked === "*" || asked === offered

/** How precisely an entry names its method: an exact name beats a star, whatever either wants. */
const precision = ({ intent, method }: Entry): number => Number(method !== "*") + Number(intent !== "*")

const wanted = ({ intent, method }: Challenge, entries: ReadonlyArray<Entry>): number =>
  entries
    .filter((entry) => fits(entry.method, method) && fits(entry.intent, intent))
    .sort((one, other) => precision(other) - precision(one) || other.q - one.q)[0]?.q ?? 0

/** What a client of this header wants of these, the most wanted first. All of them when it wants none: it may know more than it says. */
export const preferred = (challenges: ReadonlyArray<Challenge>, header: string | undefined): ReadonlyArray<Challenge> => {
  const entries = (header ?? "").slice(0, MOST_CHARS).split(",").flatMap(read)
  const ranked = challenges
    .map((challenge) => ({ challenge, q: wanted(challenge, entries) }))
    .filter(({ q }) => q > 0)
    .sort((one, other) => other.q - one.q)
    .map(({ challenge }) => challenge)
  return ranked.length === 0 ? challenges : ranked
}
