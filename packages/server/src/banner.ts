/** What the first minute needs: where things are, the keys, and a command that works when pasted. */
import type { Credentials } from "./credentials.ts"

const pay = ({ base_url, secret_key }: Credentials, key: string) =>
  [
    `curl -sSw '\\n' ${base_url}/v1/payment_intents \\`,
    `  -H 'Authorization: Bearer ${secret_key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"amount": 1999, "currency": "USD", "idempotency_key": "${key}"}'`
  ].join("\n")

/** The port that `svc listen` uses unless told another. */
const LISTEN_PORT = "4242"

const DEFAULT_DATA_DIR = ".data"

/** A value as one word of a shell. */
const shellWord = (text: string): string => /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The command that receives what is sent there; nothing where it cannot: it listens on this machine, without TLS. */
const listening = (url: string, dataDir: string): string => {
  const { hostname, port, protocol } = new URL(url)
  if (protocol !== "http:" || !["127.0.0.1", "localhost"].includes(hostname)) return ""
  // The command reads the signing secret in the same folder.
  const folder = dataDir === DEFAULT_DATA_DIR ? "" : `DATA_DIR=${shellWord(dataDir)} `
  return `  (${folder}npm run svc -- listen${
    port === LISTEN_PORT ? "" : ` --port ${port === "" ? "80" : port}`
  } receives and verifies them)`
}

const webhooks = ({ webhook_secret }: Credentials, url: string | undefined, dataDir: string) =>
  url === undefined
    ? "  Webhooks          none: no endpoint is registered, or EGRESS_ALLOW does not allow WEBHOOK_URL. Register one with PUT /v1/webhook_endpoint"
    : `  Webhook secret    ${webhook_secret}\n  Webhooks go to    ${url}${listening(url, dataDir)}`

export interface BannerFacts {
  readonly credentials: Credentials
  /** The folder of `DATA_DIR`. */
  readonly dataDir: string
  readonly file: string
  readonly database: string
  /** Where the merchant's webhooks go, if anywhere. */
  readonly webhookUrl: string | undefined
  /** The page on which the first owner joins, once, within ten minutes; the desk itself once there is an owner. */
  readonly desk: string
  /** A fresh idempotency key for the printed command. */
  readonly key: string
}

export const banner = ({ credentials, database, dataDir, desk, file, key, webhookUrl }: BannerFacts): string => `
svc is ready.

  Payments API   ${credentials.base_url}        docs ${credentials.base_url}/docs
  Tool server    ${credentials.tools_url}
  Desk           ${desk}
  Database       ${database}

  Sandbox merchant  ${credentials.account_id}
  Secret key        ${credentials.secret_key}
${webhooks(credentials, webhookUrl, dataDir)}
  Kept in           ${file}

Create a payment:

${pay(credentials, key)}
`
