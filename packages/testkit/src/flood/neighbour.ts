/**
 * How fast one merchant is served while others ask for much, beside how fast it is served alone: taken in turns, as the machine may do
 * something else besides.
 */
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** Where the service listens, and the key that asks. */
export interface Asking {
  readonly url: string
  readonly key: string
}

/** What is asked for, again and again. */
export interface HeavyRequest {
  readonly asking: Asking
  /** The request line and what belongs to the request besides host and key, and its body. */
  readonly line: string
  readonly headers?: ReadonlyArray<string>
  readonly body?: Uint8Array
  /** Nothing of the answer is read but its first bytes. */
  readonly unread?: boolean
}

/**
 * Lets everybody ask who asks for much, each one request after another, from a thread of their own. `stop` gives how often each status was
 * answered.
 */
export const crowd = (requests: ReadonlyArray<HeavyRequest>): { readonly stop: () => Promise<ReadonlyMap<number, number>> } => {
  const thread = new Worker(new URL("crowd-thread.ts", import.meta.url), {
    workerData: requests,
    execArgv: ["--disable-warning=ExperimentalWarning"]
  })
  return {
    stop: async () => {
      const statuses = once(thread, "message")
      thread.postMessage("stop", [])
      const [counted]: Array<ReadonlyMap<number, number>> = await statuses
      await thread.terminate()
      return counted ?? new Map()
    }
  }
}

/**
 * Takes payments one after another, each of two requests, until there were so many requests or so much time is over; how many milliseconds
 * each took.
 */
export const paying = async (
  { key, url }: Asking,
  { millis, requests }: { readonly requests: number; readonly millis: number }
): Promise<ReadonlyArray<number>> => {
  const took: Array<number> = []
  const post = async (path: string, body: object): Promise<string> => {
    const begun = performance.now()
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...body, idempotency_key: randomUUID() })
    })
    const { id } = Object(await answer.json())
    took.push(performance.now() - begun)
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}`)
    return String(id)
  }
  const until = performance.now() + millis
  while (took.length < requests && performance.now() < until) {
    const id = await post("/v1/payment_intents", { amount: 1999, currency: "USD" })
    await post(`/v1/payment_intents/${id}/authorize`, { payment_method_id: "tok_visa", capture: true })
  }
  return took
}

/** The value below which so many of a hundred lie. */
export const percentile = (values: ReadonlyArray<number>, percent: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * percent / 100) - 1] ?? Number.NaN
