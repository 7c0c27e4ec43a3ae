/**
 * One keep-alive HTTP/1.1 connection with one request under way at a time. `node:http` costs more
 * per request than the services under test, and the load shares their two cores; this costs a
 * tenth, and understands no more of HTTP than answers with a Content-Length. One that the server closed
 * while nothing was under way, as servers do after some seconds, is opened again by the next request.
 */
import { connect, type Socket } from "node:net"

export interface Answer {
  readonly status: number
  /** The status line and the headers. */
  readonly head: string
  readonly body: string
}

const HEADER_END = Buffer.from("\r\n\r\n")

export class Connection {
  private readonly port: number
  private socket: Socket
  private received: Buffer = Buffer.alloc(0)
  private waiting: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined

  constructor(port: number) {
    this.port = port
    this.socket = this.open()
  }

  private open(): Socket {
    this.received = Buffer.alloc(0)
    const socket = connect({ port: this.port, host: "127.0.0.1", noDelay: true })
    // What the one before says late is not this one's end.
    const fail = (error: Error) => this.socket === socket ? this.fail(error) : undefined
    socket.on("data", (chunk) => this.receive(chunk))
    socket.on("error", fail)
    socket.on("close", () => fail(new Error("the server closed the connection")))
    return socket
  }

  /** Without a key when it is empty. `more`: header lines, each with its end. */
  send(method: string, path: string, key: string, body: string, more = ""): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed || this.socket.readableEnded) this.socket = this.open()
      this.waiting = { resolve, reject }
      const content = body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      const credential = key === "" ? "" : `Authorization: Bearer ${key}\r\n`
      this.socket.write(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${credential}${more}${content}\r\n${body}`)
    })
  }

  close(): void {
    this.waiting = undefined
    this.socket.destroy()
  }

  private fail(error: Error): void {
    this.waiting?.reject(error)
    this.waiting = undefined
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    const end = this.received.indexOf(HEADER_END)
    if (end < 0) return
    const head = this.received.toString("latin1", 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) return this.fail(new Error(`an answer without Content-Length: ${head}`))
    const total = end + HEADER_END.length + Number(length)
    if (this.received.length < total) return
    const answer = { status: Number(head.slice(9, 12)), head, body: this.received.toString("utf8", end + HEADER_END.length, total) }
    this.received = this.received.subarray(total)
    const { waiting } = this
    this.waiting = undefined
    waiting?.resolve(answer)
  }
}
