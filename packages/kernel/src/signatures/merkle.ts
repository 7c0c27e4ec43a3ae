/**
 * Merkle trees as RFC 6962, section 2.1, hashes them: a leaf is SHA-256 of a zero byte and its data, a node SHA-256 of a one byte and
 * its two children, so that no node passes for a leaf. The tree of n leaves has a full left half; here that is computed level by
 * level, where the last node of an odd number goes up as it is, which comes to the same.
 */
import { hash } from "node:crypto"

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

const sha256 = (...parts: ReadonlyArray<Uint8Array>): Buffer => hash("sha256", Buffer.concat(parts), "buffer")

export const leafHash = (data: Uint8Array): Buffer => sha256(LEAF, data)
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(NODE, left, right)

/** Of a tree without leaves. */
export const EMPTY_ROOT: Buffer = sha256()

const parentsOf = (level: ReadonlyArray<Buffer>): ReadonlyArray<Buffer> => {
  const parents: Array<Buffer> = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]]
    if (left !== undefined) parents.push(right === undefined ? left : nodeHash(left, right))
  }
  return parents
}

/** All hashes of a tree, the leaves' first and the root's alone at the end. */
export const levelsOf = (leaves: ReadonlyArray<Buffer>): ReadonlyArray<ReadonlyArray<Buffer>> => {
  const levels = [leaves]
  for (let level = leaves; level.length > 1;) {
    level = parentsOf(level)
    levels.push(level)
  }
  return levels
}

export const rootOf = (leaves: ReadonlyArray<Buffer>): Buffer => levelsOf(leaves).at(-1)?.[0] ?? EMPTY_ROOT

/** The path of the leaf at `index`: the hash beside each of its ancestors, from the bottom up. A level where it stands alone has none. */
export const pathIn = (levels: ReadonlyArray<ReadonlyArray<Buffer>>, index: number): ReadonlyArray<Buffer> =>
  levels.slice(0, -1).flatMap((level, height) => level[siblingOf(index, height)] ?? [])

/** Where at this height the hash lies that stands beside the ancestor of the leaf at `index`. */
export const siblingOf = (index: number, height: number): number => {
  const ancestor = Math.floor(index / 2 ** height)
  return ancestor % 2 === 0 ? ancestor + 1 : ancestor - 1
}

/**
 * The root that a leaf and its path come to in a tree of `size` leaves (RFC 9162, section 2.1.3.2); undefined when the path has not the
 * length that it has there.
 */
export const rootFrom = (leaf: Uint8Array, index: number, size: number, path: ReadonlyArray<Uint8Array>): Buffer | undefined => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return undefined
  let found: Buffer = Buffer.from(leaf)
  let [at, last] = [index, size - 1]
  for (const beside of path) {
    if (last === 0) return undefined
    // Levels at which the node is the last of an odd number: it went up alone.
    while (at % 2 === 0 && at === last) [at, last] = [at / 2, Math.floor(last / 2)]
    found = at % 2 === 1 ? nodeHash(beside, found) : nodeHash(found, beside)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  while (last > 0 && at === last && at % 2 === 0) [at, last] = [at / 2, Math.floor(last / 2)]
  return last === 0 ? found : undefined
}
