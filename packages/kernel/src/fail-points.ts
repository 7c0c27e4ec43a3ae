/**
 * Moments at which tests let the process die. With `SVC_FAIL_POINT=<name>` in the environment at start the
 * process kills itself, by a signal that nothing can catch, when it gets there the first time; with
 * `SVC_FAIL_POINT=<name>:<n>` the n-th time. Without it a fail point does nothing.
 */

/** `<what>.before` and `<what>.after`. The `after` of a commit is when it is durable and nobody has heard of it. */
export const failPoints = [
  "commit.before",
  "commit.after",
  "authorize.before",
  "authorize.after",
  "capture.before",
  "capture.after",
  "refund.before",
  "refund.after",
  "void.before",
  "void.after",
  "give_back.before",
  "give_back.after",
  "lookup.before",
  "lookup.after",
  "webhook_claim.after",
  "webhook_post.before",
  "webhook_post.after",
  "webhook_complete.before",
  "webhook_complete.after",
  "timer_lease.after",
  "timer_finish.before",
  "timer_finish.after"
] as const
export type FailPoint = typeof failPoints[number]

interface Armed {
  readonly name: FailPoint
  /** How often the point is passed unharmed. */
  left: number
}

/** Reads `SVC_FAIL_POINT`. Throws a RangeError for what is not a fail point: a test that kills nothing would prove nothing. */
export const parseFailPoint = (text: string | undefined): Armed | undefined => {
  if (text === undefined || text === "") return undefined
  const [asked, nth = "1"] = text.split(":")
  const name = failPoints.find((known) => known === asked)
  if (name === undefined || !/^[1-9]\d{0,5}$/.test(nth)) {
    throw new RangeError(`SVC_FAIL_POINT=${text}: expected <name> or <name>:<n>, with one of ${failPoints.join(", ")}`)
  }
  return { name, left: Number(nth) - 1 }
}

const armed = parseFailPoint(process.env["SVC_FAIL_POINT"])

const die = (name: FailPoint): void => {
  if (armed?.name === name && armed.left-- <= 0) process.kill(process.pid, "SIGKILL")
}

/** This process has reached the point. */
export const failPoint: (name: FailPoint) => void = armed === undefined ? () => {} : die
