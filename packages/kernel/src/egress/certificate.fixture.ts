/** Self-signed certificates for the TLS tests, made on the spot so that no key is ever stored. DER as in RFC 5280. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

const der = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(contents)
  const length = body.length < 128 ? Buffer.of(body.length) : Buffer.of(0x82, body.length >> 8, body.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, body])
}
const sequence = (...contents: ReadonlyArray<Uint8Array>) => der(0x30, ...contents)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const utcTime = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`))

const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"))
const COMMON_NAME = oid("550403")
const BASIC_CONSTRAINTS = oid("551d13")
const SUBJECT_ALT_NAME = oid("551d11")
const TRUE = der(0x01, Buffer.of(0xff))

/** A certificate for one DNS name, its own issuer, and its key, both in PEM. */
export const selfSigned = (name: string, notBefore: Date, notAfter: Date): { readonly cert: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const subject = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))))
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
    sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(name)))))
  )
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ECDSA_SHA256,
    subject,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions)
  )
  const certificate = sequence(toSign, ECDSA_SHA256, der(0x03, Buffer.of(0), sign("sha256", toSign, privateKey)))
  const pem = certificate.toString("base64").replace(/.{64}/g, "$&\n")
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
