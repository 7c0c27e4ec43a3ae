/**
 * Moments at which tests let the process die. With `SVC_FAIL_POINT=<name>` in the environment at start the
 * process kills itself, by a signal that nothing can catch, when it gets there the first time; with
 * `SVC_FAIL_POINT=<name>:<n>` the n-th time. Without it a fail point does nothing. Each is declared where it stands, once,
 * when its file is loaded; {@link failPoints} lists them.
 */

/** `<what>.before` and `<what>.after`. The `after` of a commit is when it is durable and nobody has heard of it. */
export type FailPoint = `${string}.${"before" | "after"}`

/** This process has reached the point. */
export type FailPointReached = () => void

interface Armed {
  readonly name: string
  /** How often the point is passed unharmed. */
  left: number
}

const unusable = (text: string, why: string) => new RangeError(`SVC_FAIL_POINT=${text}: ${why}`)

/** Reads `SVC_FAIL_POINT`. Throws a RangeError for what cannot be one. */
export const parseFailPoint = (text: string | undefined): Armed | undefined => {
  if (text === undefined || text === "") return undefined
  const [, name, nth = "1"] = /^([a-z_]+\.(?:before|after))(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  if (name === undefined) throw unusable(text, "expected <name> or <name>:<n>, with a name such as commit.after")
  return { name, left: Number(nth) - 1 }
}

const setting = process.env["SVC_FAIL_POINT"]
const armed = parseFailPoint(setting)
const declared = new Set<FailPoint>()

const die = (): void => {
  if (armed !== undefined && armed.left-- <= 0) process.kill(process.pid, "SIGKILL")
}

/** Declares a point. Throws a RangeError when there is one of this name: nobody could tell which of the two is meant. */
export const failPoint = (name: FailPoint): FailPointReached => {
  if (declared.has(name)) throw new RangeError(`two fail points are called ${name}`)
  declared.add(name)
  return armed?.name === name ? die : () => {}
}

/** Declares the two points around something. */
export const failPointsAround = (what: string): { readonly before: FailPointReached; readonly after: FailPointReached } => ({
  before: failPoint(`${what}.before`),
  after: failPoint(`${what}.after`)
})

/**
 * The points of all files that are loaded by now, in alphabetical order. Throws a RangeError when `SVC_FAIL_POINT` is none of them: a test
 * that kills nothing would prove nothing.
 */
export const failPoints = (): ReadonlyArray<FailPoint> => {
  const all = Array.from(declared).sort()
  if (armed !== undefined && !all.some((name) => name === armed.name)) {
    throw unusable(setting ?? "", `there is no such point, but ${all.join(", ")}`)
  }
  return all
}
