/** Those who ask for much. They have a thread of their own, so that what they read takes no time of who measures. */
import { connect } from "node:net"
import type { Socket } from "node:net"
import { parentPort, workerData } from "node:worker_threads"
import type { HeavyRequest } from "./neighbour.ts"

/** Milliseconds before a request that was refused is sent again, and before one that is not read is given up. */
const PAUSE = 250
const UNREAD = 5_000

const headOf = ({ asking: { key, url }, body, headers = [], line }: HeavyRequest): string =>
  [
    `${line} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${key}`,
    "Connection: close",
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
    "\r\n"
  ].join("\r\n")

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
    socket.write(headOf(request))
    if (request.body !== undefined) socket.write(request.body)
  })

const statuses = new Map<number, number>()
const open = new Set<Socket>()
const answered = Promise.withResolvers<void>()
const state = { stopped: false }

const askOn = async (request: HeavyRequest): Promise<void> => {
  while (!state.stopped) {
    const status = await sendOnce(request, open)
    if (status === 0) continue
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status < 300) answered.resolve()
    if (!state.stopped && status >= 400) await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

const requests: ReadonlyArray<HeavyRequest> = workerData
const all = Promise.all(requests.map(askOn))

/** On a machine that does much else one answer may take longer than the look at the other merchant. */
const LONGEST = 20_000

const stop = async (): Promise<void> => {
  await Promise.race([answered.promise, new Promise((resolve) => setTimeout(resolve, LONGEST))])
  state.stopped = true
  for (const socket of open) socket.destroy()
  await all
  parentPort?.postMessage(statuses, [])
}

parentPort?.once("message", () => void stop())
