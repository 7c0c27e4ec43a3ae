/**
 * Verifies an export of a ledger (GET /v1/ledger/export) with nothing but the file and the public key (/.well-known/jwks.json). It needs
 * Node 18 and no package, and holds one line at a time:
 *
 *     npm run verify-export -- ledger.ndjson jwks.json
 *
 * Exit 0: every event holds and the signed end is theirs. Exit 1: it says the first sequence id that is wrong, and why. Exit 2: it was
 * called wrongly. Not covered by hashes, and so not proved: `reconciliation_status`, which changes later, and the name of the platform's
 * account (`counter_account`); that the four deltas sum to zero, and that a rail's leg moves nothing, is checked.
 */
import { createHash, createPublicKey, verify } from "node:crypto"
import { createReadStream, readFileSync } from "node:fs"

const sha256 = (...parts) => parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest()
const [LEAF, NODE, GENESIS] = [Buffer.from([0]), Buffer.from([1]), "0".repeat(64)]
const leafHash = (data) => sha256(LEAF, data)
const nodeHash = (left, right) => sha256(NODE, left, right)

/** What is wrong, and the first sequence id at which it is. */
class Wrong extends Error {
  constructor(sequence, why) {
    super(`BAD at sequence ${sequence}: ${why}`)
  }
}

const MOVES = ["delta_available", "delta_pending", "delta_reserved", "counter_delta"]
const NUMBERS = ["amount", ...MOVES]
/** How the types of the events begin that say which rails a payment was tried on. */
const LEG = "orchestration_leg_"

/** The RFC 8785 text of the hashed fields: names in order, whole numbers as text. JSON.stringify writes text as the RFC does. */
const hashed = (event) =>
  JSON.stringify({
    amount: String(event.amount),
    created_at: event.created_at,
    currency: event.currency,
    delta_available: String(event.delta_available),
    delta_pending: String(event.delta_pending),
    delta_reserved: String(event.delta_reserved),
    direction: event.direction,
    event_type: event.event_type,
    hash_version: event.hash_version,
    id: event.id,
    idempotency_key: event.idempotency_key,
    merchant_id: event.merchant_id,
    previous_hash: event.previous_hash,
    resource_id: event.resource_id,
    resource_type: event.resource_type,
    sequence_id: String(event.sequence_id)
  })

/** A Merkle tree that grows (RFC 6962): the roots of its full parts, the largest first, each with its number of leaves. */
const grow = (peaks, leaf) => {
  let [hash, size] = [leaf, 1]
  while (peaks.at(-1)?.size === size) [hash, size] = [nodeHash(peaks.pop().hash, hash), size * 2]
  peaks.push({ hash, size })
}
const rootOf = (peaks) => peaks.length === 0 ? sha256() : peaks.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right))

/** Where an inclusion proof leads (RFC 9162, 2.1.3.2); undefined when it is too long or too short. */
const rootFrom = (leaf, index, size, path) => {
  let [hash, at, last] = [leaf, index, size - 1]
  const skip = () => {
    while (last > 0 && at % 2 === 0 && at === last) [at, last] = [at / 2, Math.floor(last / 2)]
  }
  for (const beside of path) {
    skip()
    if (last <= 0) return undefined
    hash = at % 2 === 1 ? nodeHash(beside, hash) : nodeHash(hash, beside)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  skip()
  return last === 0 ? hash : undefined
}

/** The public keys of a JSON Web Key set, or of one key, by their `kid`. */
const keysIn = (file) => {
  const given = JSON.parse(readFileSync(file, "utf8"))
  return new Map(
    (given.keys ?? [given]).map((jwk) => [jwk.kid, createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: "jwk" })])
  )
}

/** Why a checkpoint is not one that this key signed; undefined when it is. */
const unsealed = (
  keys,
  { created_at, events_root, head_hash, key_id, last_sequence_id, leaf_index, merchant_id, path, root_hash, signature, tree_size }
) => {
  const leaf = leafHash(JSON.stringify({ events_root, head_hash, last_sequence_id: String(last_sequence_id), merchant_id }))
  if (rootFrom(leaf, leaf_index, tree_size, path.map((hash) => Buffer.from(hash, "hex")))?.toString("hex") !== root_hash) {
    return "its path does not lead to the signed root"
  }
  const key = keys.get(key_id)
  if (key === undefined) return `it is signed with a key (${key_id}) that is not among those you gave`
  const statement = JSON.stringify({ created_at, root_hash, tree_size: String(tree_size), type: "svc.ledger.checkpoint.v1" })
  return verify(null, Buffer.from(statement), key, Buffer.from(signature, "base64url")) ? undefined : "its signature does not fit"
}

const parse = (text, sequence) => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    throw new Wrong(sequence, "the line is no JSON: the file was cut within it, or changed")
  }
}

/** Takes lines one by one. What it returns is where it stands; it throws at the first line that is wrong. */
const verifier = (keys) => {
  const at = { sequence: 0, hash: GENESIS, merchant: undefined, balances: new Map(), end: undefined }
  const peaks = []
  let daily

  /** A daily checkpoint, wherever it reaches: one that reaches nowhere would never be held against an event. */
  const genuine = (sealed) => {
    const why = Number.isSafeInteger(sealed.last_sequence_id) ? unsealed(keys, sealed) : "it reaches to no event"
    if (why !== undefined) throw new Wrong(sealed.last_sequence_id, `the daily checkpoint is not genuine: ${why}`)
    return sealed
  }

  /** Holds a checkpoint against the events to where it reaches. */
  const compare = (sealed, what) => {
    const why = unsealed(keys, sealed)
    if (why !== undefined) throw new Wrong(sealed.last_sequence_id, `${what} is not genuine: ${why}`)
    if (at.merchant !== undefined && sealed.merchant_id !== at.merchant) throw new Wrong(1, `${what} is another merchant's`)
    if (sealed.last_sequence_id > at.sequence) {
      throw new Wrong(at.sequence + 1, `it is missing: ${what} reaches to event ${sealed.last_sequence_id}`)
    }
    if (sealed.last_sequence_id < at.sequence) {
      throw new Wrong(sealed.last_sequence_id + 1, `${what} reaches to the event before: this one was added`)
    }
    if (sealed.head_hash !== at.hash || sealed.events_root !== rootOf(peaks).toString("hex")) {
      throw new Wrong(at.sequence, `this event, or one before it, is not what ${what} was signed for: the chain was written anew`)
    }
  }

  const event = (row) => {
    const next = at.sequence + 1
    if (!Number.isSafeInteger(row.sequence_id)) throw new Wrong(next, "the line is no event")
    if (row.sequence_id > next) throw new Wrong(next, `event ${row.sequence_id} stands in its place: it is missing or out of order`)
    if (row.sequence_id < next) throw new Wrong(row.sequence_id, `it comes again behind event ${at.sequence}: inserted, or out of order`)
    if (!NUMBERS.every((name) => Number.isSafeInteger(row[name]))) throw new Wrong(next, "one of its numbers is none")
    if (row.previous_hash !== at.hash) throw new Wrong(next, "it is not linked to the event before")
    if (row.hash_version !== 1 || sha256(hashed(row)).toString("hex") !== row.event_hash) {
      throw new Wrong(next, "its hash does not fit its fields: it was changed")
    }
    if (at.merchant !== undefined && row.merchant_id !== at.merchant) throw new Wrong(next, "it is another merchant's")
    if (row.delta_available + row.delta_pending + row.delta_reserved + row.counter_delta !== 0) {
      throw new Wrong(next, "its deltas do not sum to zero")
    }
    if (String(row.event_type).startsWith(LEG) && MOVES.some((name) => row[name] !== 0)) {
      throw new Wrong(next, "a leg of a rail is a memo, and this one moves money")
    }
    Object.assign(at, { sequence: next, hash: row.event_hash, merchant: row.merchant_id })
    grow(peaks, leafHash(Buffer.from(row.event_hash, "hex")))
    const { available = 0, pending = 0, reserved = 0 } = at.balances.get(row.currency) ?? {}
    at.balances.set(row.currency, {
      available: available + row.delta_available,
      pending: pending + row.delta_pending,
      reserved: reserved + row.delta_reserved
    })
    if (daily?.last_sequence_id === next) compare(daily, "the daily checkpoint")
  }

  const line = (text) => {
    if (at.end !== undefined) throw new Wrong(at.sequence + 1, "there are lines behind the signed end")
    const value = parse(text, at.sequence + 1)
    if (value.type === "checkpoint" && at.sequence === 0) daily = genuine(Object(value.checkpoint))
    else if (value.type === "broken") {
      throw new Wrong(value.first_break?.sequence_id, `the service itself found the ledger broken (${value.first_break?.reason})`)
    } else if (value.type === "end") {
      compare(value.checkpoint, "the signed end")
      at.end = value.checkpoint
    } else event(value)
  }

  const done = () => {
    if (at.end === undefined) throw new Wrong(at.sequence + 1, "the file ends here without its signed end: it was cut")
    if (daily !== undefined && daily.last_sequence_id > at.sequence) {
      throw new Wrong(at.sequence + 1, `it is missing: the daily checkpoint reaches to event ${daily.last_sequence_id}`)
    }
    return at
  }
  return { line, done }
}

/** Lines as NDJSON has them: ended by a line feed alone, which `readline` is not content with. */
const linesOf = async function*(file) {
  let rest = ""
  for await (const piece of createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 20 })) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop()
    yield* lines
  }
  if (rest !== "") yield rest
}

const main = async ([file, key]) => {
  if (file === undefined || key === undefined) throw new TypeError("usage: npm run verify-export -- <export.ndjson> <jwks.json>")
  const { done, line } = verifier(keysIn(key))
  for await (const text of linesOf(file)) line(text)
  const { balances, end, hash, sequence } = done()
  console.log(`ok: ${sequence} events of ${end.merchant_id}, head ${hash}, signed ${end.created_at} with ${end.key_id}`)
  for (const [currency, { available, pending, reserved }] of balances) {
    console.log(`    ${currency}  available ${available}  pending ${pending}  reserved ${reserved}`)
  }
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exitCode = error instanceof Wrong ? 1 : 2
})
