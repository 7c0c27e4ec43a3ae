/** A facilitator of x402 that knows what each wallet has, looks before it moves, and moves each authorization once. */
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Option, Schema } from "effect"
import { text } from "node:stream/consumers"

const Asked = Schema.Struct({
  paymentPayload: Schema.Struct({
    payload: Schema.Struct({ authorization: Schema.Struct({ from: Schema.String, value: Schema.String, nonce: Schema.String }) })
  })
})
const decode = Schema.decodeUnknownOption(fromJsonText(Asked))

/** `away`: it breaks off. `emptied`: the wallet is emptied between the look and the transfer. `nameless`: it names no transaction. */
type Manner = "as it should" | "away" | "emptied" | "nameless" | "lost"

export interface Bank {
  readonly url: string
  /** What wallets have, in the token's smallest unit, by address in lower case. */
  readonly balances: Map<string, number>
  /** What it was asked, in order: `verify` and `settle`. */
  readonly asked: Array<string>
  manner: Manner
}

/** Listens until the scope closes. */
export const openBank = Effect.gen(function*() {
  const moved = new Map<string, string>()
  const bank: { -readonly [K in keyof Bank]: Bank[K] } = { url: "", balances: new Map(), asked: [], manner: "as it should" }
  const answer = (path: string, { from, nonce, value }: typeof Asked.Type["paymentPayload"]["payload"]["authorization"]): object => {
    const wallet = from.toLowerCase()
    const isEnough = (bank.balances.get(wallet) ?? 0) >= Number(value)
    if (path === "verify") return isEnough ? { isValid: true, payer: from } : { isValid: false, invalidReason: "insufficient_funds" }
    if (bank.manner === "nameless") return { success: true, transaction: "", network: "eip155:84532" }
    const known = moved.get(nonce)
    if (known !== undefined) return { success: true, transaction: known, network: "eip155:84532" }
    if (!isEnough || bank.manner === "emptied") return { success: false, errorReason: "insufficient_funds", transaction: "" }
    bank.balances.set(wallet, (bank.balances.get(wallet) ?? 0) - Number(value))
    const transaction = `0x${String(moved.size + 1).padStart(64, "0")}`
    moved.set(nonce, transaction)
    return { success: true, transaction, network: "eip155:84532" }
  }
  const port = yield* receiver((request, response) => {
    text(request).then((body) => {
      const path = request.url?.split("/").at(-1) ?? ""
      bank.asked.push(path)
      const asked = Option.getOrUndefined(decode(body))
      if (bank.manner === "away" || asked === undefined) return response.destroy()
      const said = answer(path, asked.paymentPayload.payload.authorization)
      if (bank.manner === "lost" && path === "settle") return response.destroy()
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said))
    }, () => response.destroy())
  })
  bank.url = `http://127.0.0.1:${port}`
  const opened: Bank = bank
  return opened
})
