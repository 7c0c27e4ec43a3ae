/** What a domain publishes so that its mail is believed: SPF (RFC 7208), DKIM (RFC 6376, 8301) and DMARC (RFC 7489). */
import { Data, Effect } from "effect"
import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"

/** Whose servers send for the domain, and the SPF record that names them, from the documents of each. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: "_spf.google.com",
  mailgun: "mailgun.org",
  microsoft: "spf.protection.outlook.com",
  postmark: "spf.mtasv.net",
  sendgrid: "sendgrid.net",
  ses: "amazonses.com"
}

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
const SELECTOR = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "u")
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`, "u")

/** The smallest that every receiver still takes as strong; a larger one fits no single UDP answer. */
const RSA_BITS = 2048

export interface SetupRequest {
  readonly domain: string
  readonly provider?: string
  readonly dkim_selector?: string
  readonly dmarc_policy?: "none" | "quarantine" | "reject"
}

export class SetupRefused extends Data.TaggedError("SetupRefused")<{ readonly message: string }> {}

const keyPair = Effect.promise(() =>
  promisify(generateKeyPair)("rsa", {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })
)

const txt = (name: string, value: string, purpose: string) => ({ type: "TXT" as const, name, value, purpose })

/** The records, and the key that signs. The key is kept nowhere. */
export const senderSetup = Effect.fnUntraced(
  function*({ dkim_selector = "svc1", dmarc_policy = "none", domain, provider }: SetupRequest) {
    if (!DOMAIN.test(domain)) return yield* new SetupRefused({ message: "domain: must be such as mail.example.com, in lower case." })
    if (!SELECTOR.test(dkim_selector)) return yield* new SetupRefused({ message: "dkim_selector: must be such as svc1, in lower case." })
    const include = provider === undefined ? undefined : PROVIDERS[provider.toLowerCase()]
    if (provider !== undefined && include === undefined) {
      return yield* new SetupRefused({
        message: `provider: must be one of ${Object.keys(PROVIDERS).join(", ")}. Leave it out where servers of the domain itself send.`
      })
    }
    const { privateKey, publicKey } = yield* keyPair
    return {
      domain,
      records: [
        txt(domain, `v=spf1 ${include === undefined ? "a mx" : `include:${include}`} ~all`, "SPF: which servers may send for the domain"),
        txt(
          `${dkim_selector}._domainkey.${domain}`,
          `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}`,
          "DKIM: the public key of the signatures"
        ),
        txt(
          `_dmarc.${domain}`,
          `v=DMARC1; p=${dmarc_policy}; adkim=r; aspf=r; rua=mailto:postmaster@${domain}`,
          "DMARC: what receivers do with mail that neither proves"
        )
      ],
      dkim_private_key: privateKey,
      steps: [
        "Keep dkim_private_key as you keep passwords: it is shown this once, and kept nowhere here.",
        "Publish the records. DNS holds a text of more than 255 characters in several strings.",
        "A name has one SPF record: where there is one already, add these words to it.",
        `Give the key and the selector ${dkim_selector} to what sends your mail, which signs with them.`,
        "Read the reports that come to postmaster, and then raise the DMARC policy from none to quarantine and to reject."
      ]
    }
  }
)
