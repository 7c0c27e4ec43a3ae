/** Knots of a graph: sets of nodes of which each reaches each other. Loops, no recursion: a chain of imports may be long. */
import { byText } from "../facts/order.ts"

type Targets = (node: string) => ReadonlyArray<string>

interface Frame {
  readonly node: string
  readonly targets: ReadonlyArray<string>
  next: number
}

/** Tarjan's strongly connected components; a component comes after those that it leads to. Nodes of one are sorted. */
export const componentsOf = (nodes: ReadonlyArray<string>, targetsOf: Targets): ReadonlyArray<ReadonlyArray<string>> => {
  const components: Array<ReadonlyArray<string>> = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: Array<string> = []
  const onStack = new Set<string>()
  const frames: Array<Frame> = []
  const enter = (node: string) => {
    low.set(node, index.size)
    index.set(node, index.size)
    stack.push(node)
    onStack.add(node)
    frames.push({ node, targets: targetsOf(node), next: 0 })
  }
  const lower = (node: string, to: number) => low.set(node, Math.min(low.get(node) ?? to, to))
  const leave = ({ node }: Frame) => {
    frames.pop()
    const parent = frames.at(-1)
    if (parent !== undefined) lower(parent.node, low.get(node) ?? 0)
    if (low.get(node) !== index.get(node)) return
    const component = stack.splice(stack.lastIndexOf(node))
    for (const member of component) onStack.delete(member)
    components.push(component.toSorted(byText))
  }
  for (const root of nodes) {
    if (!index.has(root)) enter(root)
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const target = frame.targets[frame.next++]
      if (target === undefined) leave(frame)
      else if (!index.has(target)) enter(target)
      else if (onStack.has(target)) lower(frame.node, index.get(target) ?? 0)
    }
  }
  return components
}

/** The longest way down from each node, counted in components. */
export const levelsOf = (components: ReadonlyArray<ReadonlyArray<string>>, targetsOf: Targets): ReadonlyMap<string, number> => {
  const levels = new Map<string, number>()
  for (const component of components) {
    const members = new Set(component)
    const below = component.flatMap((node) => targetsOf(node)).filter((target) => !members.has(target))
    const level = below.reduce((most, target) => Math.max(most, 1 + (levels.get(target) ?? 0)), 0)
    for (const node of component) levels.set(node, level)
  }
  return levels
}

/** The shortest way from the knot's first node back to itself. */
export const shortestCycle = (knot: ReadonlyArray<string>, targetsOf: Targets): ReadonlyArray<string> => {
  const members = new Set(knot)
  const start = knot[0] ?? ""
  const before = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const target of targetsOf(node)) {
      if (target === start) {
        const way = [node]
        for (let at = before.get(node); at !== undefined; at = before.get(at)) way.unshift(at)
        return way
      }
      if (!members.has(target) || before.has(target)) continue
      before.set(target, node)
      queue.push(target)
    }
  }
  return knot
}
