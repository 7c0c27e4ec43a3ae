/** URLs that are signed with AWS Signature Version 4 in their query: made here, and checked when somebody uses one. */
import { AwsV4Signer } from "aws4fetch"
import { Data, DateTime, Effect } from "effect"
import { timingSafeEqual } from "node:crypto"

export interface AccessKey {
  readonly id: string
  readonly secret: string
  readonly region: string
}

/** No URL lives longer. */
export const MAX_SECONDS = 86_400
/** How far ahead of ours the clock of whoever signs may be. */
const MAX_SKEW_MILLIS = 300_000

export type Headers = Readonly<Record<string, string>>

export interface SignRequest {
  readonly method: string
  /** Without a signature. Its path is encoded already. */
  readonly url: string
  /** Headers that whoever uses the URL has to send as they are. */
  readonly headers?: Headers
  readonly seconds: number
}

/** `20130524T000000Z` */
const stampOf = (at: DateTime.Utc): string => DateTime.formatIso(at).replace(/[:-]|\.\d{3}/gu, "")

const momentOf = (stamp: string): number => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(stamp) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const sign = (key: AccessKey, request: Omit<SignRequest, "seconds">, datetime: string): Effect.Effect<URL> =>
  Effect.promise(async () => {
    const { method, url, headers = {} } = request
    const signer = new AwsV4Signer({
      method,
      url,
      headers,
      accessKeyId: key.id,
      secretAccessKey: key.secret,
      service: "s3",
      region: key.region,
      datetime,
      signQuery: true,
      allHeaders: true
    })
    return (await signer.sign()).url
  })

/** The URL with a signature that allows one method, with these headers, until `seconds` after `at`. */
export const presign = (key: AccessKey, { seconds, url, ...request }: SignRequest, at: DateTime.Utc): Effect.Effect<string> => {
  const expiring = new URL(url)
  expiring.searchParams.set("X-Amz-Expires", String(seconds))
  return Effect.map(sign(key, { ...request, url: expiring.href }, stampOf(at)), ({ href }) => href)
}

/** The URL gives no access to what it names. `message` is fit for whoever sent the request. */
export class SignatureRefused extends Data.TaggedError("SignatureRefused")<{ readonly message: string }> {}

export interface SignedRequest {
  readonly method: string
  /** Absolute, with the host for which URLs are signed. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Headers
}

const refuse = (message: string) => new SignatureRefused({ message: `${message} Ask for a new URL.` })

const isSame = (one: string, other: string): boolean => {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

/** Fails unless this key signed the request, and its time has not passed. */
export const verify = Effect.fnUntraced(function*(key: AccessKey, { headers, method, url }: SignedRequest, at: DateTime.Utc) {
  const unsigned = new URL(url)
  const query = unsigned.searchParams
  const parameter = (name: string): string => query.get(`X-Amz-${name}`) ?? ""
  const [stamp, expires, signature] = [parameter("Date"), parameter("Expires"), parameter("Signature")]
  // Programs differ in which of two values they read.
  if (new Set(query.keys()).size !== query.size) return yield* refuse("The URL has a parameter twice.")
  if (parameter("Algorithm") !== "AWS4-HMAC-SHA256") return yield* refuse("The URL is not signed: it needs X-Amz-Algorithm and its like.")
  if (parameter("Credential") !== `${key.id}/${stamp.slice(0, 8)}/${key.region}/s3/aws4_request`) {
    return yield* refuse("The URL was not signed by this server, or with a key that is gone.")
  }
  const [signedAt, now] = [momentOf(stamp), at.epochMilliseconds]
  if (!/^\d{1,5}$/u.test(expires) || Number(expires) > MAX_SECONDS || !(signedAt <= now + MAX_SKEW_MILLIS)) {
    return yield* refuse(`The URL has no X-Amz-Date that has come, or an X-Amz-Expires above ${MAX_SECONDS}.`)
  }
  if (now >= signedAt + Number(expires) * 1000) return yield* refuse("The URL has expired.")
  const names = parameter("SignedHeaders").split(";").filter((name) => name !== "host")
  const missing = names.find((name) => headers[name] === undefined)
  if (missing !== undefined) return yield* refuse(`The request lacks the header ${missing}, which the URL was signed with.`)
  const surplus = Object.keys(headers).find((name) => name.startsWith("x-amz-") && !names.includes(name))
  if (surplus !== undefined) return yield* refuse(`The request has the header ${surplus}, which the URL was not signed with.`)
  query.delete("X-Amz-Signature")
  const signedHeaders = Object.fromEntries(names.map((name) => [name, headers[name] ?? ""]))
  const expected = (yield* sign(key, { method, url: unsigned.href, headers: signedHeaders }, stamp)).searchParams
  // Which headers were signed is part of what is signed.
  const isValid = expected.get("X-Amz-SignedHeaders") === parameter("SignedHeaders") &&
    isSame(expected.get("X-Amz-Signature") ?? "", signature)
  if (!isValid) return yield* refuse("The signature does not fit the method, the URL or the signed headers.")
})
