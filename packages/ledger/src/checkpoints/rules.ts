/**
 * The Merkle tree over one merchant's events, of which every eighth level is kept: a node there stands for 256 of the level below, and
 * level 0 are the events themselves. Only complete nodes are kept, for they never change; what lies at the right edge is computed.
 */
import { EMPTY_ROOT, nodeHash, rootOf, siblingOf } from "@svc/kernel/signatures/merkle"
import { GROUP, type Node, type Span, STEP } from "./model.ts"

/** The nodes that are known, by level and position. */
export type KnownNodes = Map<string, Buffer>

const keyOf = (level: number, position: number): string => `${level}/${position}`

export const know = (known: KnownNodes, nodes: Iterable<Node>): KnownNodes => {
  for (const { hash, level, position } of nodes) known.set(keyOf(level, position), hash)
  return known
}

/** The kept levels of a tree, the events' first. */
const levels = (size: number): ReadonlyArray<number> => {
  const levelsOfSize: Array<number> = []
  for (let level = 0; 2 ** level <= size; level += STEP) levelsOfSize.push(level)
  return levelsOfSize
}

/** What has to be known for the root of a tree, and for the path of an event (counted from 0) if one is given. */
export const spansFor = (size: number, index?: number): ReadonlyArray<Span> =>
  levels(size).flatMap((level) => {
    const complete = Math.floor(size / 2 ** level)
    const edge = Math.floor(complete / GROUP) * GROUP
    const group = index === undefined ? edge : Math.floor(index / 2 ** (level + STEP)) * GROUP
    const spans = [{ level, from: edge, to: complete }]
    if (group !== edge) spans.push({ level, from: group, to: group + GROUP })
    return spans.filter(({ from, to }) => from < to)
  })

/** The hash of the node at this height and position in a tree of `size` events. */
const hashAt = (known: KnownNodes, size: number, height: number, position: number): Buffer => {
  const knownNode = known.get(keyOf(height, position))
  if (knownNode !== undefined) return knownNode
  if (height === 0) throw new RangeError(`the hash of event ${position + 1} is missing from the tree of ${size}`)
  const left = hashAt(known, size, height - 1, 2 * position)
  const right = 2 * position + 1
  return right * 2 ** (height - 1) >= size ? left : nodeHash(left, hashAt(known, size, height - 1, right))
}

const heightOf = (size: number): number => {
  let height = 0
  while (2 ** height < size) height++
  return height
}

export const rootAt = (known: KnownNodes, size: number): Buffer => size === 0 ? EMPTY_ROOT : hashAt(known, size, heightOf(size), 0)

/** The path of an event, counted from 0, in the tree of the first `size`. */
export const pathAt = (known: KnownNodes, size: number, index: number): ReadonlyArray<Buffer> =>
  Array.from({ length: heightOf(size) }, (_, height) => [height, siblingOf(index, height)] as const)
    .filter(([height, position]) => position * 2 ** height < size)
    .map(([height, position]) => hashAt(known, size, height, position))

/** The node above a whole group of hashes of the level below. */
export const nodeOver = (level: number, position: number, hashes: ReadonlyArray<Buffer>): Node => {
  if (hashes.length !== GROUP) throw new RangeError(`a node of level ${level} stands over ${GROUP} hashes, not ${hashes.length}`)
  return { level, position, hash: rootOf(hashes) }
}

/** The kept nodes above the events' own level that a tree gains as it grows: by level, which positions. */
export const gains = (before: number, size: number): ReadonlyArray<Span> =>
  levels(size).filter((level) => level > 0).map((level) => ({
    level,
    from: Math.floor(before / 2 ** level),
    to: Math.floor(size / 2 ** level)
  })).filter(({ from, to }) => from < to)
