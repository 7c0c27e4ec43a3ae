/** The Merkle tree over one merchant's events: reads the nodes that are kept of it, and computes the others. */
import { Effect } from "effect"
import { GROUP, type Node, type Span, STEP } from "../model.ts"
import type { CheckpointRepository } from "../repository.ts"
import { gains, know, type KnownNodes, nodeOver, pathAt, rootAt, spansFor } from "../rules.ts"

type Repository = CheckpointRepository["Service"]

/** Groups of hashes of one query. */
const GROUPS = 64

const isWithin = ({ from, level, to }: Span) => (node: Node) => node.level === level && node.position >= from && node.position < to

/** The nodes to keep that the tree gained since the last time. A node is made of the level below, kept before or gained just now. */
const gainedNodes = Effect.fnUntraced(function*(repository: Repository, account: string, size: number) {
  const gained: Array<Node> = []
  for (const { from, level, to } of gains(yield* repository.covered(account), size)) {
    for (let at = from; at < to; at += GROUPS) {
      const span = { level: level - STEP, from: at * GROUP, to: Math.min(at + GROUPS, to) * GROUP }
      const below = [...yield* repository.nodes(account, span), ...gained.filter(isWithin(span))]
      below.sort((one, other) => one.position - other.position)
      for (let n = 0; n < below.length; n += GROUP) {
        gained.push(nodeOver(level, at + n / GROUP, below.slice(n, n + GROUP).map(({ hash }) => hash)))
      }
      yield* Effect.yieldNow
    }
  }
  return gained
})

const readNodes = Effect.fnUntraced(function*(repository: Repository, account: string, spans: ReadonlyArray<Span>) {
  const nodes = yield* Effect.forEach(spans, (span) => repository.nodes(account, span))
  return know(new Map(), nodes.flat()) satisfies KnownNodes
})

/** The root of the tree over the first `size` events, hexadecimal, and the nodes to keep that the tree gained. */
export const rootOf = Effect.fnUntraced(function*(repository: Repository, account: string, size: number) {
  const gained = yield* gainedNodes(repository, account, size)
  const nodes = know(yield* readNodes(repository, account, spansFor(size)), gained)
  return { root: rootAt(nodes, size).toString("hex"), gained }
})

/** The path of the event with this sequence id to the root of the tree over the first `size` events, hexadecimal. */
export const pathOf = Effect.fnUntraced(function*(repository: Repository, account: string, size: number, sequence_id: number) {
  const index = sequence_id - 1
  const nodes = yield* readNodes(repository, account, spansFor(size, index))
  return pathAt(nodes, size, index).map((hash) => hash.toString("hex"))
})
