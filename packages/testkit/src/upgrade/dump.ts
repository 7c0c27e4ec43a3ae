/**
 * A kept dump: the data of a landed state, as `pg_dump` writes it, and beside it what the state answered and the keys that opened it.
 * The keys are of a sandbox that was made for the dump and is gone: they open nothing but the dump.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"

export const DUMPS = new URL("dumps/", import.meta.url)

/** Stands first in both files of a dump. */
export const NOTE = "Made by make-dump.ts. The keys are of a throw-away sandbox that exists in this dump alone; they open nothing else."

/** A merchant of the dump. */
export const DumpedMerchant = Schema.Struct({ account_id: Schema.String, secret_key: Schema.String })
export type DumpedMerchant = typeof DumpedMerchant.Type

/** A request that wrote something, and its answer. */
export const Exchange = Schema.Struct({
  /** What the scenario calls it. */
  name: Schema.String,
  server: Schema.Literals(["api", "tools"]),
  key: Schema.String,
  method: Schema.String,
  path: Schema.String,
  /** JSON text, as it was sent. */
  body: Schema.String,
  status: Schema.Int,
  answer: Schema.String
})
export type Exchange = typeof Exchange.Type

export const DumpFacts = Schema.Struct({
  note: Schema.Literal(NOTE),
  /** The commit whose server made the data. */
  commit: Schema.String,
  taken_at: Schema.String,
  /** Opens what is sealed; of no use outside. */
  encryption_keys: Schema.String,
  webhook_secret: Schema.String,
  /** The merchant that lives in the world's time, and one whose clock was moved on where the state has test clocks. */
  merchant: DumpedMerchant,
  clocked: DumpedMerchant,
  exchanges: Schema.Array(Exchange)
})
export type DumpFacts = typeof DumpFacts.Type

export interface Dump {
  readonly facts: DumpFacts
  readonly sql: string
}

const decode = Schema.decodeUnknownSync(fromJsonText(DumpFacts))

export const readDump = (name: string): Dump => ({
  facts: decode(brotliDecompressSync(readFileSync(new URL(`${name}.json.br`, DUMPS))).toString()),
  sql: brotliDecompressSync(readFileSync(new URL(`${name}.sql.br`, DUMPS))).toString()
})

export const dumpNames: ReadonlyArray<string> = readdirSync(DUMPS).filter((file) => file.endsWith(".sql.br")).map((file) =>
  file.replace(".sql.br", "")
).sort()
