/**
 * Files of time zones for the oracle, made from what this runtime knows of them. Python brings a release of the time zone data of its
 * own, and the two would differ about the years that governments have changed since. So the offsets are read from `Intl`, instant
 * by instant and by nothing that billing uses, and written as RFC 9636 says; Python computes on them by its own rules.
 */

/** From this instant on the zone is so far ahead of UTC. */
export interface Transition {
  /** Unix seconds. */
  readonly at: number
  /** Seconds. */
  readonly offset: number
}

const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** Seconds ahead of UTC at an instant of Unix seconds. */
const offsetAt = (format: Intl.DateTimeFormat, at: number): number => {
  // The whole text is made three times as fast as its parts, and the zone is its last word.
  const name = format.format(at * 1000).split(" ").at(-1) ?? ""
  const [whole, sign, hours, minutes, seconds = "0"] = OFFSET.exec(name) ?? []
  if (whole === undefined) {
    throw new RangeError(`Intl names the offset of ${format.resolvedOptions().timeZone} as ${name}, which cannot be read`)
  }
  return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds))
}

/** No zone of these centuries changed its offset and took it back within this time. */
const STEP = 4 * 86_400

/** The first second from which on the offset is no longer that at `from`, by bisection. */
const changeBetween = (format: Intl.DateTimeFormat, from: number, to: number): number => {
  const before = offsetAt(format, from)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(format, middle) === before) low = middle
    else high = middle
  }
  return high
}

const search = (zone: string, from: number, to: number): ReadonlyArray<Transition> => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
  const found: Array<Transition> = [{ at: from, offset: offsetAt(format, from) }]
  for (let at = from; at < to; at += STEP) {
    if (offsetAt(format, at + STEP) === offsetAt(format, at)) continue
    const change = changeBetween(format, at, at + STEP)
    found.push({ at: change, offset: offsetAt(format, change) })
  }
  return found
}

/** It takes a tenth of a second a zone, so it is done once. */
const known = new Map<string, ReadonlyArray<Transition>>()

/** The first and the last year that are known. A question about another one would be answered wrongly. */
export interface Years {
  readonly from: number
  readonly to: number
}

/** The zone's offset when the years begin, and each change of it until they are over. */
export const transitionsOf = (zone: string, { from, to }: Years): ReadonlyArray<Transition> => {
  const key = `${zone} ${from} ${to}`
  const found = known.get(key) ?? search(zone, Date.UTC(from, 0, 1) / 1000, Date.UTC(to + 1, 0, 1) / 1000)
  known.set(key, found)
  return found
}

const HEADER = 44

const header = (times: number, types: number, letters: number): Buffer => {
  const bytes = Buffer.alloc(HEADER)
  bytes.write("TZif2", 0, "latin1")
  for (const [index, count] of [0, 0, 0, times, types, letters].entries()) bytes.writeUInt32BE(count, 20 + 4 * index)
  return bytes
}

/**
 * A file of the zone in the form of RFC 9636, version 2: an empty block for readers of version 1, the transitions with one type each,
 * and no rule for the time after the last of them.
 */
export const zoneFile = (transitions: ReadonlyArray<Transition>): Buffer => {
  const offsets = Array.from(new Set(transitions.map(({ offset }) => offset)))
  const times = Buffer.alloc(8 * transitions.length)
  const types = Buffer.alloc(transitions.length)
  for (const [index, { at, offset }] of transitions.entries()) {
    times.writeBigInt64BE(BigInt(at), 8 * index)
    types.writeUInt8(offsets.indexOf(offset), index)
  }
  const records = Buffer.alloc(6 * offsets.length)
  for (const [index, offset] of offsets.entries()) records.writeInt32BE(offset, 6 * index)
  const letters = Buffer.from("-00\0", "latin1")
  return Buffer.concat([
    header(0, 1, 4),
    Buffer.alloc(6),
    letters,
    header(transitions.length, offsets.length, letters.length),
    times,
    types,
    records,
    letters,
    Buffer.from("\n\n", "latin1")
  ])
}
