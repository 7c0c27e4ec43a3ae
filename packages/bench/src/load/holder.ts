/**
 * Opens sessions of MCP and holds their streams open, in a process of its own. Its parent sends `{ port, sessions }`, and is told how many
 * streams are open and how many of them broke; on every further message it is told again.
 */
import { connect, type Socket } from "node:net"
import { Connection } from "./connection.ts"
import { sessionOf } from "./tool-call.ts"

export interface Hold {
  readonly port: number
  readonly sessions: number
}

export interface Holding {
  readonly open: number
  readonly broken: number
  readonly failure: string | undefined
}

const state = { open: 0, broken: 0, failure: undefined as string | undefined }
const sockets: Array<Socket> = []

/** A stream, once its headers and its first bytes are there. */
const stream = (port: number, headers: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" })
    sockets.push(socket)
    socket.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`)
    socket.once("data", (chunk: Buffer) => {
      const head = chunk.toString("latin1")
      if (!head.startsWith("HTTP/1.1 200") || !head.includes("text/event-stream")) {
        return reject(new Error(`no stream: ${head.slice(0, 300)}`))
      }
      state.open++
      resolve()
    })
    socket.on("data", () => undefined)
    socket.on("error", reject)
    socket.on("close", () => {
      state.open--
      state.broken++
      reject(new Error("a stream was closed"))
    })
  })

/** Openings under way. */
const AT_ONCE = 32

const hold = async ({ port, sessions }: Hold): Promise<void> => {
  let next = 0
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    const connection = new Connection(port)
    while (next++ < sessions) await stream(port, await sessionOf(connection))
    connection.close()
  }))
}

const tell = (): void => void process.send?.({ ...state } satisfies Holding)

process.once("message", (wanted: Hold) => {
  hold(wanted).catch((error: unknown) => {
    state.failure = error instanceof Error ? error.message : String(error)
  }).finally(() => {
    tell()
    process.on("message", tell)
  })
})
