/** Permit2 as x402's `upto` uses it: a signed permission to take at most an amount, checked without asking the chain. */
import { Result } from "effect"
import { type ExpectedTransfer, SETTLING_SECONDS, type VerifiedTransfer } from "./eip3009.ts"
import { address, digest, sameAddress, signerOf, struct, uint256 } from "./eip712.ts"
import type { PermitAuthorization, Problem, ProblemName } from "./model.ts"

/** The contract that moves the token, and the one that x402 has between it and the facilitator; the same on every chain. */
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
const UPTO_PROXY = "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002"

// A type's text is followed by those of the structs in it, in the order of their names.
const TOKEN = "TokenPermissions(address token,uint256 amount)"
const WITNESS = "Witness(address to,address facilitator,uint256 validAfter)"
const TYPE =
  `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)${TOKEN}${WITNESS}`

export const digestOf = ({ deadline, nonce, permitted, spender, witness }: PermitAuthorization, chainId: number) => {
  const token = struct(TOKEN, address(permitted.token), uint256(permitted.amount))
  const inner = struct(WITNESS, address(witness.to), address(witness.facilitator), uint256(witness.validAfter))
  const message = struct(TYPE, token, address(spender), uint256(nonce), uint256(deadline), inner)
  return digest({ name: "Permit2", chainId, verifyingContract: PERMIT2 }, message)
}

const problem = (name: ProblemName, why: string): Result.Result<never, Problem> => Result.fail({ name, why })

/**
 * Whether this is a signed permission to take up to the amount, for us, in this token, now. That the payer let Permit2 at the token, the
 * chain knows.
 */
export const verify = (
  authorization: PermitAuthorization,
  signature: string,
  { amount, now, stablecoin }: ExpectedTransfer
): Result.Result<VerifiedTransfer, Problem> => {
  const { deadline, from, nonce, permitted, spender, witness } = authorization
  const { asset, facilitator, payTo } = stablecoin
  if (facilitator === undefined) return problem("method-unsupported", "The scheme upto is not offered. Use exact.")
  if (!sameAddress(permitted.token, asset)) {
    return problem("verification-failed", `The permission is for the token ${permitted.token}; it has to be for ${asset}.`)
  }
  if (!sameAddress(spender, UPTO_PROXY)) {
    return problem("verification-failed", `The permission is for the spender ${spender}; it has to be for ${UPTO_PROXY}.`)
  }
  if (!sameAddress(witness.to, payTo)) {
    return problem("verification-failed", `The transfer goes to ${witness.to}; it has to go to ${payTo}.`)
  }
  if (!sameAddress(witness.facilitator, facilitator)) {
    return problem("verification-failed", `The permission is for the facilitator ${witness.facilitator}; it has to be for ${facilitator}.`)
  }
  if (BigInt(permitted.amount) !== BigInt(amount)) {
    return problem(
      "payment-insufficient",
      `The permission is for ${permitted.amount}; it has to be for ${amount}, in the token's smallest unit.`
    )
  }
  if (BigInt(witness.validAfter) > BigInt(now)) return problem("verification-failed", "The permission is not valid yet.")
  if (BigInt(deadline) < BigInt(now + SETTLING_SECONDS)) {
    return problem(
      "payment-expired",
      "The permission has expired, or does within seconds. Sign a new one for the challenge of this answer."
    )
  }
  const payer = signerOf(digestOf(authorization, stablecoin.chainId), signature)
  if (payer === undefined || !sameAddress(payer, from)) {
    return problem("verification-failed", `The signature is not that of ${from} over this permission and chain.`)
  }
  return Result.succeed({ payer, key: `permit2:${payer}:${BigInt(nonce)}` })
}
