/** An authenticator in software, which does what it is told: for answers that no browser would give. */
import { isoCBOR } from "@simplewebauthn/server/helpers"
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** What the options of a challenge say that this authenticator heeds. */
export interface Asked {
  readonly challenge: string
  readonly user?: { readonly id: string }
}

export interface Answering {
  readonly origin: string
  readonly rpId?: string
  readonly counter?: number
  /** Whether the person was verified by finger, face or PIN. */
  readonly isVerified?: boolean
}

const sha256 = (text: string | Uint8Array): Buffer => createHash("sha256").update(text).digest()

const clientData = (type: string, { challenge }: Asked, { origin }: Answering): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const [PRESENT, VERIFIED, WITH_CREDENTIAL] = [0x01, 0x04, 0x40]

const authenticatorData = ({ counter = 0, isVerified = true, origin, rpId }: Answering, credential?: Buffer): Buffer => {
  const flags = PRESENT | (isVerified ? VERIFIED : 0) | (credential === undefined ? 0 : WITH_CREDENTIAL)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId ?? new URL(origin).hostname), head, credential ?? Buffer.alloc(0)])
}

/** The key as COSE writes it: EC2, ES256, P-256. */
const coseKey = (key: KeyObject): Uint8Array => {
  const { x = "", y = "" } = key.export({ format: "jwk" })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y, "base64url"))]
    ])
  )
}

export const makeAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const id = randomBytes(16)
  const shared = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key", clientExtensionResults: {} }
  let handle = ""
  return {
    id: shared.id,
    /** Makes its passkey. */
    create: (asked: Asked, answering: Answering): string => {
      handle = asked.user?.id ?? ""
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const attestation = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ["fmt", "none"],
          ["attStmt", new Map<string, string>()],
          ["authData", new Uint8Array(authenticatorData(answering, credential))]
        ])
      )
      return JSON.stringify({
        ...shared,
        response: {
          clientDataJSON: clientData("webauthn.create", asked, answering).toString("base64url"),
          attestationObject: Buffer.from(attestation).toString("base64url")
        }
      })
    },
    /** Proves with its passkey who is there. */
    prove: (asked: Asked, answering: Answering): string => {
      const [client, data] = [clientData("webauthn.get", asked, answering), authenticatorData(answering)]
      return JSON.stringify({
        ...shared,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: sign("sha256", Buffer.concat([data, sha256(client)]), privateKey).toString("base64url"),
          userHandle: handle
        }
      })
    }
  }
}
