/** A facilitator of x402 with books of its own, which loses answers as it is told and carries each authorization out once. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Option, Schema } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

/** What befalls the next settlement that it is asked for. `before` and `after` it was carried out. */
export type Fault = "none" | "reset before" | "reset after" | "500 before" | "500 after" | "refused"

/**
 * What it says of an authorization that it has carried out: the same again, that the nonce is used, or what it happens to look at first.
 */
export type Manner = "idempotent" | "used" | "misleading"

const Authorization = Schema.Struct({ from: Schema.String, nonce: Schema.String })
const Asked = Schema.Struct({
  paymentPayload: Schema.Struct({
    payload: Schema.Struct({ authorization: Schema.optionalKey(Authorization), permit2Authorization: Schema.optionalKey(Authorization) })
  }),
  paymentRequirements: Schema.Struct({ amount: Schema.String })
})
const decode = Schema.decodeUnknownOption(fromJsonText(Asked))

/** What moved, in the token's smallest unit, by the payer's address in lower case. */
export interface Moved {
  readonly from: string
  readonly nonce: string
  readonly amount: number
  readonly transaction: string
}

export interface ScriptedFacilitator {
  readonly url: string
  readonly moved: ReadonlyArray<Moved>
  /** Of the settlements to come, one after another. */
  readonly script: (manner: Manner, faults: ReadonlyArray<Fault>) => void
  /** Called when it has carried something out and nobody has heard of it. */
  onMoved: () => void
}

const makeBooks = () => {
  const moved: Array<Moved> = []
  let manner: Manner = "idempotent"
  let faults: ReadonlyArray<Fault> = []
  return {
    moved,
    script: (how: Manner, next: ReadonlyArray<Fault>) => {
      manner = how
      faults = next
    },
    nextFault: (): Fault => {
      const [first = "none", ...rest] = faults
      faults = rest
      return first
    },
    /** The answer, and whether it moved just now. */
    settle: ({ from, nonce }: typeof Authorization.Type, amount: string): { readonly answer: object; readonly now: boolean } => {
      const known = moved.find((one) => one.nonce === nonce && one.from === from.toLowerCase())
      if (known === undefined) {
        const transaction = `0x${String(moved.length + 1).padStart(64, "0")}`
        moved.push({ from: from.toLowerCase(), nonce, amount: Number(amount), transaction })
        return { answer: { success: true, transaction, network: "eip155:84532", payer: from }, now: true }
      }
      if (manner === "idempotent") {
        return { answer: { success: true, transaction: known.transaction, network: "eip155:84532", payer: from }, now: false }
      }
      return {
        answer: {
          success: false,
          transaction: "",
          errorReason: manner === "used" ? "invalid_exact_evm_nonce_already_used" : "insufficient_funds"
        },
        now: false
      }
    }
  }
}

/** Listens until the scope closes. */
export const startFacilitator = Effect.gen(function*() {
  const books = makeBooks()
  const handle = async (request: IncomingMessage, response: ServerResponse, onMoved: () => void) => {
    const asked = Option.getOrUndefined(decode(await text(request)))
    const authorization = asked?.paymentPayload.payload.authorization ?? asked?.paymentPayload.payload.permit2Authorization
    if (asked === undefined || authorization === undefined) {
      return response.writeHead(400).end(JSON.stringify({ success: false, errorReason: "invalid_payload" }))
    }
    const json = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(body))
    // It looks at a transfer without a fault: what is lost there has moved nothing.
    if (request.url?.endsWith("/verify") === true) return json(200, { isValid: true, payer: authorization.from })
    const fault = books.nextFault()
    if (fault === "reset before") return request.socket.destroy()
    if (fault === "500 before") return json(500, { message: "try again" })
    if (fault === "refused") return json(200, { success: false, transaction: "", errorReason: "insufficient_funds" })
    const { answer, now } = books.settle(authorization, asked.paymentRequirements.amount)
    if (now) onMoved()
    if (fault === "reset after") return request.socket.destroy()
    return fault === "500 after" ? json(500, { message: "the answer was lost" }) : json(200, answer)
  }
  const started: { -readonly [K in keyof ScriptedFacilitator]: ScriptedFacilitator[K] } = {
    url: "",
    moved: books.moved,
    script: books.script,
    onMoved: () => {}
  }
  const server = createServer((request, response) => {
    handle(request, response, () => started.onMoved()).catch(() => request.socket.destroy())
  })
  started.url = yield* Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
  const facilitator: ScriptedFacilitator = started
  return facilitator
})
