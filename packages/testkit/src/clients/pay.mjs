/** Calls an address as agents do, with a stock client that pays when it is asked to, and prints what came back and what was sent. */
import { account, card, evm, x402First } from "./wallets.mjs"

// `most`: dollars that the wallet spends at once.
const { body, client, headers, most = "10", url } = await new Response(process.env.INPUT).json()

const sent = []
const answered = []
const watched = async (input, init) => {
  const request = new Request(input, init)
  sent.push({ headers: Object.fromEntries(request.headers), body: await request.clone().text() })
  const response = await fetch(request)
  answered.push(response.status)
  return response
}

const mppx = async (method, more) => {
  const { Mppx } = await import("mppx/client")
  return Mppx.create({ fetch: watched, methods: [await method()], polyfill: false, ...more }).fetch
}

const v2 = async (scheme, prepare) => {
  const { wrapFetchWithPayment, x402Client } = await import("@x402/fetch")
  const paying = new x402Client().register("eip155:*", scheme).setSpendControls({ maxAmountPerPayment: `$${most}` })
  prepare?.(paying)
  return wrapFetchWithPayment(watched, paying)
}
const exact = async () => new (await import("@x402/evm/exact/client")).ExactEvmScheme(account)
const upto = async () => new (await import("@x402/evm/upto/client")).UptoEvmScheme(account)
const identified = (paying) =>
  paying.onBeforePaymentCreation(async ({ paymentRequired }) => {
    paymentRequired.extensions["payment-identifier"].info.id = "pay_7d5d747be160e280504c099d984bcfe0"
  })

const v1 = async () => {
  const [{ createWalletClient, http }, { baseSepolia }, { wrapFetchWithPayment }] = await Promise.all([
    import("viem"),
    import("viem/chains"),
    import("x402-fetch")
  ])
  return wrapFetchWithPayment(
    watched,
    createWalletClient({ account, chain: baseSepolia, transport: http("http://127.0.0.1:9") }),
    10_000_000n
  )
}

const clients = {
  "mppx card": () => mppx(card),
  "mppx evm": () => mppx(evm),
  "mppx x402": () => mppx(evm, x402First),
  "x402 exact": async () => v2(await exact()),
  "x402 upto": async () => v2(await upto()),
  "x402 identified": async () => v2(await exact(), identified),
  "x402 v1": v1
}

/** Each receipt is read by the library of its protocol. */
const readers = {
  "payment-receipt": async (value) => (await import("mppx")).Receipt.deserialize(value),
  "payment-response": async (value) => (await import("@x402/fetch")).decodePaymentResponseHeader(value),
  "x-payment-response": async (value) => (await import("x402-fetch")).decodeXPaymentResponse(value)
}

const paying = await clients[client]()
const response = await paying(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })
const receipts = {}
for (const [name, read] of Object.entries(readers)) if (response.headers.has(name)) receipts[name] = await read(response.headers.get(name))
console.log(JSON.stringify({ status: response.status, body: await response.json(), answered, sent, receipts }))
