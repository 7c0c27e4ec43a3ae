/** Circles in a graph of files. */

/** Every set of nodes that reach each other, each as one closed path. Tarjan's algorithm (1972). */
export const circles = (edges: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: Array<string> = []
  const waiting = new Set<string>()
  const found: Array<ReadonlyArray<string>> = []

  const visit = (node: string): number => {
    const number = index.size
    index.set(node, number)
    let lowest = number
    stack.push(node)
    waiting.add(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next))
      else if (waiting.has(next)) lowest = Math.min(lowest, index.get(next) ?? lowest)
    }
    low.set(node, lowest)
    if (lowest === number) {
      const members = stack.splice(stack.indexOf(node))
      for (const member of members) waiting.delete(member)
      if (members.length > 1 || edges.get(node)?.includes(node) === true) found.push(walkRound(node, new Set(members), edges))
    }
    return lowest
  }

  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return found
}

/** A shortest way from `start` back to itself inside `members`. */
const walkRound = (
  start: string,
  members: ReadonlySet<string>,
  edges: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const paths: Array<ReadonlyArray<string>> = [[start]]
  const seen = new Set<string>()
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    for (const next of edges.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start]
      if (!members.has(next) || seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  return [start]
}
