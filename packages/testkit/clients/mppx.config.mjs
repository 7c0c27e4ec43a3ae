/** What `mppx validate` pays with: its own wallets would ask a chain for their balance, and Stripe for a token. */
import { card, evm } from "./wallets.mjs"

export const methods = [await card(), await evm()]
