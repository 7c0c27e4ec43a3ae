/** A webhook receiver that verifies and remembers everything, and sometimes will not have it. */
import { verify } from "@svc/kernel/signatures/webhook-signature"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"

/** Of a hundred events, so many are answered with 500 the first time, and so many never accepted. */
const UNWELL_OF_HUNDRED = 2
const REFUSED_OF_HUNDRED = 3

interface Seen {
  readonly ids: Set<string>
  readonly bodies: Set<string>
  readonly answers: Array<number>
}

export interface Receiver {
  readonly url: string
  /** The account's secret, known once its endpoint is made. */
  readonly expect: (account: string, secret: string) => void
  readonly seen: ReadonlyMap<string, Seen>
  /** What was wrong with what came. */
  readonly problems: ReadonlyArray<string>
}

const Body = fromJsonText(Schema.Struct({
  id: Schema.String,
  account_id: Schema.String,
  event_seq: Schema.Int,
  data: Schema.Struct({ id: Schema.String })
}))
const readBody = Schema.decodeUnknownSync(Body)

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? "")

const percentile = (id: string): number => createHash("sha256").update(id).digest().readUInt16BE(0) % 100

const answerTo = (id: string, seen: Seen): number => {
  const luck = percentile(id)
  if (luck < REFUSED_OF_HUNDRED) return 410
  return luck < REFUSED_OF_HUNDRED + UNWELL_OF_HUNDRED && seen.answers.length === 0 ? 500 : 200
}

const makeLog = () => {
  const secrets = new Map<string, string>()
  const seen = new Map<string, Seen>()
  const lanes = new Map<string, number>()
  const problems: Array<string> = []

  const take = (request: IncomingMessage, text: string): number => {
    const body = readBody(text)
    const timestamp = Number(header(request, "webhook-timestamp"))
    const judged = verify({
      header: header(request, "webhook-signature"),
      secret: secrets.get(body.account_id) ?? "",
      body: text,
      now: timestamp
    })
    if (judged._tag === "Failure") problems.push(`M10: ${body.id} came with a signature that is not accepted: ${judged.failure.reason}`)
    if (header(request, "webhook-event-id") !== body.id) {
      problems.push(`M10: ${body.id} is called ${header(request, "webhook-event-id")} in its header`)
    }
    const known = seen.get(body.id) ?? { ids: new Set(), bodies: new Set(), answers: [] }
    if (!seen.has(body.id)) {
      seen.set(body.id, known)
      const lane = `${body.account_id} ${body.data.id}`
      if ((lanes.get(lane) ?? 0) >= body.event_seq) problems.push(`M9: event ${body.event_seq} of ${lane} came after ${lanes.get(lane)}`)
      lanes.set(lane, body.event_seq)
    }
    known.ids.add(header(request, "webhook-id"))
    known.bodies.add(text)
    const status = answerTo(body.id, known)
    known.answers.push(status)
    return status
  }

  return { secrets, seen, problems, take }
}

/** Starts a receiver. It stops with the scope. */
export const startReceiver = Effect.gen(function*() {
  const log = makeLog()
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const created = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        // A sender that was killed half way never ends its request.
        request.on("end", () => {
          try {
            response.writeHead(log.take(request, Buffer.concat(chunks).toString("utf8"))).end()
          } catch (error) {
            log.problems.push(`M10: a webhook could not be read: ${String(error)}`)
            response.writeHead(500).end()
          }
        })
      }).listen(0, "127.0.0.1")
      await once(created, "listening")
      return created
    }),
    (created) =>
      Effect.promise(async () => {
        created.close()
        created.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/webhooks`,
    expect: (account, secret) => void log.secrets.set(account, secret),
    seen: log.seen,
    problems: log.problems
  }
  return receiver
})

interface DeliveryRow {
  readonly event_id: string
  readonly id: string | null
  readonly status: string
  readonly attempts: number
  readonly logged: number
}

/** M9, M10: every event of these accounts, which have an endpoint, was accepted or is in the dead letters; as one delivery. */
export const allDelivered = Effect.fnUntraced(function*(receiver: Receiver, accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<DeliveryRow>`
    SELECT e.id AS event_id, d.id, d.status, d.attempts,
      (SELECT count(*) FROM webhook_attempts a WHERE a.account_id = d.account_id AND a.delivery_id = d.id) AS logged
    FROM events e LEFT JOIN webhook_deliveries d ON d.account_id = e.account_id AND d.event_id = e.id
    WHERE e.account_id = ANY(${accounts}::text[])`
  const problems: Array<string> = [...receiver.problems]
  const emitted = new Set<string>()
  for (const { attempts, event_id, id, logged, status } of rows) {
    if (emitted.has(event_id)) problems.push(`M9: ${event_id} has two deliveries`)
    emitted.add(event_id)
    const seen = receiver.seen.get(event_id)
    if (id === null || seen === undefined) {
      problems.push(`M9: ${event_id} ${id === null ? "has no delivery" : `is ${status} and never came`}`)
      continue
    }
    if (seen.ids.size > 1 || !seen.ids.has(id)) {
      problems.push(`M10: ${event_id} came as ${Array.from(seen.ids).join()}, its delivery is ${id}`)
    }
    if (seen.bodies.size > 1) problems.push(`M10: ${event_id} came with different bodies`)
    const accepted = seen.answers.includes(200)
    if (status === "delivered" ? !accepted : status !== "failed" || accepted || !seen.answers.includes(410)) {
      problems.push(`M9: ${event_id} is ${status}, the receiver answered ${seen.answers.join()}`)
    }
    if (attempts !== logged || attempts > seen.answers.length) {
      problems.push(`M10: ${event_id} says ${attempts} attempts, ${logged} are logged, ${seen.answers.length} came`)
    }
  }
  for (const id of receiver.seen.keys()) if (!emitted.has(id)) problems.push(`M9: ${id} came and is no event`)
  return problems
})
