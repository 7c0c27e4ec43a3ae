/** How fast one merchant is served while others ask for much, beside how fast it is served alone: taken in turns, as the machine may do something else besides. */
import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import type { Socket } from "node:net"

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
  readonly body?: Buffer
  /** Nothing of the answer is read but its first bytes. */
  readonly unread?: boolean
}

/** Milliseconds before a request that was refused is sent again, and before one that is not read is given up. */
const PAUSE = 250
const UNREAD = 5_000

const bytesOf = ({ asking: { key, url }, body, headers = [], line }: HeavyRequest): Buffer => {
  const head = [`${line} HTTP/1.1`, `Host: ${new URL(url).host}`, `Authorization: Bearer ${key}`, "Connection: close", ...headers]
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}${body === undefined ? "" : `\r\nContent-Length: ${body.length}`}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

/** Sends it once; the status, or zero when there was none. What comes is thrown away, or left unread. */
const sendOnce = (request: HeavyRequest, open: Set<Socket>): Promise<number> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(request.asking.url).port), "127.0.0.1")
    let status = 0
    open.add(socket)
    socket.on("error", () => {}).once("close", () => {
      open.delete(socket)
      resolve(status)
    })
    socket.once("data", (first: Buffer) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/u.exec(first.toString("latin1"))?.[1] ?? 0)
      if (request.unread !== true || status !== 200) return void socket.on("data", () => {})
      socket.pause()
      setTimeout(() => socket.destroy(), UNREAD).unref()
    })
    socket.write(bytesOf(request))
  })

/** Everybody who asks for much, each one request after another. `stop` gives how often each status was answered. */
export const crowd = (requests: ReadonlyArray<HeavyRequest>): { readonly stop: () => Promise<ReadonlyMap<number, number>> } => {
  const statuses = new Map<number, number>()
  const open = new Set<Socket>()
  const state = { stopped: false }
  const one = async (request: HeavyRequest) => {
    while (!state.stopped) {
      const status = await sendOnce(request, open)
      if (status !== 0 || !state.stopped) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (!state.stopped && status >= 400) await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
  const all = Promise.all(requests.map(one))
  return {
    stop: async () => {
      state.stopped = true
      for (const socket of open) socket.destroy()
      await all
      return statuses
    }
  }
}

/** Takes payments one after another, each of two requests, until there were so many requests or so much time is over; how many milliseconds each took. */
export const paying = async ({ key, url }: Asking, { millis, requests }: { readonly requests: number; readonly millis: number }): Promise<ReadonlyArray<number>> => {
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
