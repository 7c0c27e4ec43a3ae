/** EIP-712: the digest of typed data, and who signed it. Only the three kinds of fields that payments have. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { Result } from "effect"

type Bytes = Uint8Array

const bytesOf = (hex: string): Bytes => Buffer.from(hex.slice(2), "hex")
const hexOf = (bytes: Bytes): string => `0x${Buffer.from(bytes).toString("hex")}`

const keccak = (data: Bytes): Bytes => keccak_256(data)
const keccakText = (text: string): Bytes => keccak(Buffer.from(text, "utf8"))

/** Keccak-256 of a text's UTF-8, in lowercase hexadecimal. */
export const keccakHex = (text: string): string => hexOf(keccakText(text))

/** Each field of a struct is one word of 32 bytes. */
const word = (bytes: Bytes): Bytes => {
  const padded = new Uint8Array(32)
  padded.set(bytes, 32 - bytes.length)
  return padded
}

export const address = (hex: string): Bytes => word(bytesOf(hex))
export const bytes32 = bytesOf
export const uint256 = (value: bigint | number | string): Bytes => bytesOf(`0x${BigInt(value).toString(16).padStart(64, "0")}`)
const text = keccakText

/** The hash of a struct of this type, such as `Mail(address from,address to)`, with its fields' words in order. */
export const struct = (type: string, ...words: ReadonlyArray<Bytes>): Bytes => keccak(Buffer.concat([keccakText(type), ...words]))

export interface Domain {
  readonly name: string
  /** Some contracts, Permit2 among them, have none. */
  readonly version?: string
  readonly chainId: number
  readonly verifyingContract: string
}

const separator = ({ chainId, name, verifyingContract, version }: Domain): Bytes =>
  version === undefined
    ? struct(
      "EIP712Domain(string name,uint256 chainId,address verifyingContract)",
      text(name),
      uint256(chainId),
      address(verifyingContract)
    )
    : struct(
      "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)",
      text(name),
      text(version),
      uint256(chainId),
      address(verifyingContract)
    )

/** What a wallet signs. */
export const digest = (domain: Domain, message: Bytes): Bytes => keccak(Buffer.concat([Buffer.of(0x19, 0x01), separator(domain), message]))

const SIGNATURE_BYTES = 65

const recovered = (digested: Bytes, signature: Bytes): string => {
  const last = signature[SIGNATURE_BYTES - 1] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, SIGNATURE_BYTES - 1), "compact")
  // Tokens refuse the twin of a signature, so that one authorization has one signature.
  if (parsed.hasHighS()) throw new RangeError("not a canonical signature")
  const point = parsed.addRecoveryBit(recovery).recoverPublicKey(digested).toBytes(false)
  return hexOf(keccak(point.subarray(1)).subarray(12))
}

/** The address whose key signed, in lowercase; undefined for what is no signature of a key, such as that of a contract wallet. */
export const signerOf = (digested: Bytes, signature: string): string | undefined => {
  const bytes = bytesOf(signature)
  return bytes.length === SIGNATURE_BYTES ? Result.getOrUndefined(Result.try(() => recovered(digested, bytes))) : undefined
}

export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
