/** JSON as it may be written, which is more than it may mean: keys twice, numbers too large, half characters. */

/** A value in a JSON text. `raw` is written as it is. */
export type Node =
  | { readonly kind: "raw"; raw: string }
  | { readonly kind: "object"; readonly members: Array<{ readonly key: string; value: Node }> }
  | { readonly kind: "array"; readonly items: Array<Node> }

export const raw = (text: string): Node => ({ kind: "raw", raw: text })

export const nodeOf = (value: unknown): Node => {
  if (Array.isArray(value)) return { kind: "array", items: value.map(nodeOf) }
  if (typeof value !== "object" || value === null) return raw(JSON.stringify(value) ?? "null")
  return { kind: "object", members: Object.entries(value).map(([key, item]) => ({ key: JSON.stringify(key), value: nodeOf(item) })) }
}

export const print = (node: Node): string => {
  switch (node.kind) {
    case "raw":
      return node.raw
    case "array":
      return `[${node.items.map(print).join(",")}]`
    case "object":
      return `{${node.members.map(({ key, value }) => `${key}:${print(value)}`).join(",")}}`
  }
}

/** A text as JSON, every unit of it an escape. */
export const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`

/** A place where a value stands and another can be put. */
export interface Slot {
  /** The name of the member, or undefined in an array. */
  readonly name: string | undefined
  readonly put: (value: Node) => void
}

/** Every place below a node. */
export const slotsOf = (node: Node): ReadonlyArray<Slot> => {
  if (node.kind === "raw") return []
  if (node.kind === "array") {
    return node.items.flatMap((item, at) => [
      { name: undefined, put: (value: Node) => void (node.items[at] = value) },
      ...slotsOf(item)
    ])
  }
  return node.members.flatMap((member) => [
    { name: member.key.slice(1, -1), put: (value: Node) => void (member.value = value) },
    ...slotsOf(member.value)
  ])
}
