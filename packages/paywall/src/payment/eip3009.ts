/** EIP-3009: a signed transfer of a token, checked without asking the chain. That it was not used before is for a store to know. */
import { Result } from "effect"
import { address, bytes32, digest, sameAddress, signerOf, struct, uint256 } from "./eip712.ts"
import type { Problem, ProblemName, Stablecoin, TransferAuthorization } from "./model.ts"

const TYPE = "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"

/** So many seconds a transfer must still be valid, so that it can be written to a block. */
export const SETTLING_SECONDS = 6

/** What a payer's wallet signed; the domain binds it to one token on one chain. */
export const digestOf = (
  authorization: TransferAuthorization,
  { asset, chainId, name, version }: Pick<Stablecoin, "asset" | "chainId" | "name" | "version">
) => {
  const { from, nonce, to, validAfter, validBefore, value } = authorization
  const message = struct(TYPE, address(from), address(to), uint256(value), uint256(validAfter), uint256(validBefore), bytes32(nonce))
  return digest({ name, version, chainId, verifyingContract: asset }, message)
}

export interface VerifiedTransfer {
  /** Lowercase. */
  readonly payer: string
  /** A payment is taken once, because its key is stored once. */
  readonly key: string
}

export interface ExpectedTransfer {
  readonly stablecoin: Stablecoin
  /** In the token's smallest unit: exactly this, for a transfer of more cannot be given back. */
  readonly amount: string
  /** Unix seconds. */
  readonly now: number
}

const problem = (name: ProblemName, why: string): Result.Result<never, Problem> => Result.fail({ name, why })

/** Whether this is a signed transfer of the amount, to us, in this token, that can be carried out now. */
export const verify = (
  authorization: TransferAuthorization,
  signature: string,
  { amount, now, stablecoin }: ExpectedTransfer
): Result.Result<VerifiedTransfer, Problem> => {
  const { from, nonce, to, validAfter, validBefore, value } = authorization
  if (!sameAddress(to, stablecoin.payTo)) {
    return problem("verification-failed", `The transfer goes to ${to}; it has to go to ${stablecoin.payTo}.`)
  }
  if (BigInt(value) !== BigInt(amount)) {
    return problem("payment-insufficient", `The transfer is of ${value}; the price is ${amount}, in the token's smallest unit.`)
  }
  if (BigInt(validAfter) > BigInt(now)) return problem("verification-failed", "The authorization is not valid yet.")
  if (BigInt(validBefore) < BigInt(now + SETTLING_SECONDS)) {
    return problem(
      "payment-expired",
      "The authorization has expired, or does within seconds. Sign a new one for the challenge of this answer."
    )
  }
  const payer = signerOf(digestOf(authorization, stablecoin), signature)
  if (payer === undefined || !sameAddress(payer, from)) {
    return problem(
      "verification-failed",
      `The signature is not that of ${from} over this transfer, token and chain. Signatures of contract wallets are not accepted.`
    )
  }
  return Result.succeed({ payer, key: `eip3009:${payer}:${nonce.toLowerCase()}` })
}
