/** What an agent of the tests pays with: a card of the sandbox, and a wallet with a key that everybody knows. */
import { privateKeyToAccount } from "viem/accounts"

export const account = privateKeyToAccount("0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318")
const USDC = "0x036CbD53842c5426634e7929541eC2318f3dCF7e"

/** Methods of mppx. */
export const card = async () => {
  const { stripe } = await import("mppx/client")
  return stripe.charge({ createToken: async ({ amount, networkId }) => `spt_test_${networkId}_${amount}`, paymentMethod: "pm_1" })
}
export const evm = async (payer = account, maxAmount = "5") => {
  const { charge } = await import("mppx/evm/client")
  return charge({
    account: payer,
    networks: [84532],
    currencies: [USDC],
    authorization: { name: "USDC", version: "2" },
    decimals: 6,
    maxAmount
  })
}

/** mppx pays with the first of what it is offered, which is the Payment scheme; turned around, it is x402. */
export const x402First = { orderChallenges: (candidates) => candidates.toReversed() }
