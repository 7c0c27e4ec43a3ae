/**
 * What those who are connected may make this process hold: requests that wait for their turn, answers that nobody reads, and
 * connections as such. Whoever takes more is disconnected, beginning with the one that has done nothing for the longest time.
 *
 * Node stops reading from a connection whose answers pile up, but hands over every request of the 64 KiB it has read by then,
 * and those may be thousands.
 */
import { requests } from "@svc/kernel/http/giving-way"
import { Reference } from "@svc/kernel/values/reference"
import { IncomingMessage, ServerResponse } from "node:http"
import type { Server } from "node:http"
import type { Socket } from "node:net"

/** The most that one listener holds. */
export class Capacity extends Reference<{
  readonly connections: number
  /** Requests of one connection that wait for the answer to an earlier one to be taken. */
  readonly waiting: number
  /** The same, of all connections. */
  readonly allWaiting: number
  /** Bytes of large answers that are under way, of all connections; those that are made while they are read hold next to none. */
  readonly unsent: number
}>("@svc/server/Capacity", {
  defaultValue: () => ({ connections: 2_000, waiting: 100, allWaiting: 10_000, unsent: 64 * 1024 * 1024 })
}) {}

/** Answers of fewer bytes are not worth counting: {@link Capacity} bounds how many there are. */
const LARGE = 16 * 1024

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  /** In the order in which they came. */
  readonly waiting: Array<Exchange & { readonly event: string }>
  /** What is being worked on, or answered. */
  current: Exchange | undefined
  /** The request that came last, until it is answered. */
  latest: Exchange | undefined
  /** Whether its answer has not begun. */
  unanswered: boolean
  /** Bytes of the large answer that is under way. */
  unsent: number
  /** When something last began or ended here: later is greater. */
  moved: number
}

/** Whether it waits for us, and not we for whoever is at the other end. */
const isOurTurn = ({ current }: Connection): boolean => current !== undefined && current.request.complete && !current.response.writableEnded

const oldest = (connections: Iterable<Connection>, eligible: (connection: Connection) => boolean): Connection | undefined => {
  let found: Connection | undefined
  for (const connection of connections) {
    if (eligible(connection) && (found === undefined || connection.moved < found.moved)) found = connection
  }
  return found
}

/** The connections of a listener. */
export class Connections {
  readonly #capacity: (typeof Capacity)["Service"]
  readonly #report: (why: string) => void
  readonly #all = new Map<unknown, Connection>()
  #moves = 0
  #waiting = 0
  #unsent = 0

  /** `report` is told why somebody is disconnected. */
  constructor(capacity: (typeof Capacity)["Service"], report: (why: string) => void) {
    this.#capacity = capacity
    this.#report = report
  }

  /** The request that came last over a connection, until it is answered. */
  latestOn(socket: unknown): Exchange | undefined {
    return this.#all.get(socket)?.latest
  }

  /** Requests whose bodies have not come whole. A body that is still under way is the last of its connection. */
  *unfinished(): Generator<Exchange> {
    for (const { latest } of this.#all.values()) if (latest !== undefined && !latest.request.complete) yield latest
  }

  /** An answer with so many bytes of body begins. Makes room when that is too much together with the others. */
  answering(socket: unknown, bytes: number): void {
    const connection = this.#all.get(socket)
    if (connection === undefined) return
    this.#answered(connection)
    if (bytes < LARGE) return
    connection.unsent += bytes
    this.#unsent += bytes
    while (this.#unsent > this.#capacity.unsent) {
      const slow = oldest(this.#all.values(), (other) => other !== connection && other.unsent > 0)
      if (slow === undefined) return
      this.#disconnect(slow, "answers that are not read are held for others")
    }
  }

  /**
   * Makes the server handle the requests of a connection one after another, each when the answer before it was taken. Returns the server.
   */
  watch(server: Server): Server {
    const emit: (event: string, ...args: ReadonlyArray<unknown>) => boolean = server.emit.bind(server)
    server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
      const [request, response] = args
      const isRequest = event === "request" || event === "checkContinue"
      if (!isRequest || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return emit(event, ...args)
      this.#arrived({ event, request, response }, emit)
      return true
    }
    return server.on("connection", (socket) => this.#connected(socket))
  }

  #connected(socket: Socket): void {
    const connection: Connection = {
      socket,
      waiting: [],
      current: undefined,
      latest: undefined,
      unanswered: false,
      unsent: 0,
      moved: ++this.#moves
    }
    this.#all.set(socket, connection)
    socket.once("close", () => this.#forget(connection))
    if (this.#all.size <= this.#capacity.connections) return
    this.#disconnect(oldest(this.#all.values(), (other) => !isOurTurn(other)) ?? connection, "there are too many connections")
  }

  #arrived(arrival: Exchange & { readonly event: string }, emit: Server["emit"]): void {
    const connection = this.#all.get(arrival.request.socket)
    if (connection === undefined) return
    connection.latest = arrival
    if (connection.current === undefined && connection.waiting.length === 0) return this.#begin(connection, arrival, emit)
    connection.waiting.push(arrival)
    this.#waiting++
    if (connection.waiting.length > this.#capacity.waiting || this.#waiting > this.#capacity.allWaiting) {
      this.#disconnect(connection, "requests were sent ahead faster than they are answered")
    }
  }

  #begin(connection: Connection, exchange: Exchange & { readonly event: string }, emit: Server["emit"]): void {
    const { event, request, response } = exchange
    connection.current = exchange
    connection.moved = ++this.#moves
    connection.unanswered = true
    requests.unanswered++
    response.once("close", () => {
      this.#answered(connection)
      this.#unsent -= connection.unsent
      connection.unsent = 0
      connection.current = undefined
      connection.moved = ++this.#moves
      if (connection.latest === exchange) connection.latest = undefined
      // Others have their turn before the next one of this connection.
      if (connection.waiting.length > 0) setImmediate(() => this.#next(connection, emit))
    })
    emit(event, request, response)
  }

  #answered(connection: Connection): void {
    if (!connection.unanswered) return
    connection.unanswered = false
    requests.unanswered--
  }

  #next(connection: Connection, emit: Server["emit"]): void {
    // After an answer that ends the connection nothing else is handled.
    const next = connection.socket.writable ? connection.waiting.shift() : undefined
    if (next === undefined) return
    this.#waiting--
    this.#begin(connection, next, emit)
  }

  #disconnect(connection: Connection, why: string): void {
    this.#report(why)
    this.#forget(connection)
    connection.socket.destroy()
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection.socket)) return
    this.#waiting -= connection.waiting.length
    connection.waiting.length = 0
    this.#unsent -= connection.unsent
    connection.unsent = 0
  }
}
