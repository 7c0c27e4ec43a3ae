/** The verified ledger, drawn: its chain in pieces, the last links, and the checkpoints. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import { messagesOf } from "../i18n/messages.ts"
import type { LedgerTexts } from "../i18n/shapes/ledger.ts"
import { inWords, linkTo, numberAt, objectAt, part, table } from "./parts.ts"
import { type Json, shown, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

export interface LedgerFacts {
  /** Undefined where it was not made, and why. */
  readonly verification: Json | undefined
  readonly refusal: string | undefined
  /** Newest first. */
  readonly checkpoints: ReadonlyArray<Json>
  /** Newest first. */
  readonly entries: ReadonlyArray<Json>
}

const texts = ({ pageLocale }: Pick<Visit, "pageLocale">): LedgerTexts => messagesOf(pageLocale).ledger

const short = (hash: string): Html => html`<code title="${hash}">${hash.slice(0, 12)}</code>`

const verdict = (visit: Visit, verification: Json): Html => {
  const words = texts(visit)
  if (verification["ok"] === true) return design.alert(words.holds, words.holdsNote(numberAt(verification, "checked")), "good")
  const first = objectAt(verification, "first_break")
  const reasons: Readonly<Record<string, string>> = words.reasons
  const about = textAt(first, "resource_id")
  return design.alert(
    words.broken(numberAt(first, "sequence_id")),
    html`${reasons[textAt(first, "reason")] ?? inWords(visit, textAt(first, "reason"))}${
      about === "" ? null : html` ${words.about} <code>${about}</code>.`
    } ${words.whatNow}`
  )
}

interface Piece {
  readonly from: number
  readonly to: number
  readonly hash: string
  readonly end: string
}

/** From each checkpoint to the next, and from the last one to the head. Of checkpoints at the same place the first counts. */
const piecesOf = (visit: Visit, verification: Json, checkpoints: ReadonlyArray<Json>): ReadonlyArray<Piece> => {
  const words = texts(visit)
  const last = numberAt(verification, "last_sequence_id")
  const ends = checkpoints.toReversed().map((one) => ({
    to: numberAt(one, "last_sequence_id"),
    hash: textAt(one, "head_hash"),
    end: words.checkpoint
  }))
  return [...ends, { to: last, hash: textAt(verification, "head_hash"), end: words.head }].reduce<ReadonlyArray<Piece>>((pieces, end) => {
    const from = (pieces.at(-1)?.to ?? 0) + 1
    return end.to < from ? pieces : [...pieces, { ...end, from }]
  }, [])
}

const drawn = (visit: Visit, verification: Json, checkpoints: ReadonlyArray<Json>): Html => {
  const words = texts(visit)
  const broken = verification["ok"] === true ? undefined : numberAt(objectAt(verification, "first_break"), "sequence_id")
  const pieces = piecesOf(visit, verification, checkpoints)
  if (pieces.length === 0) return html`<p class="quiet">${words.empty}</p>`
  const note = ({ from, to }: Piece): readonly [tone: string | undefined, text: Content] =>
    broken === undefined || broken > to ? [undefined, null] : broken >= from ? ["bad", words.brokenPiece] : ["quiet", words.unchecked]
  return html`<ol class="chain">${
    pieces.map((piece) => {
      const [tone, text] = note(piece)
      return html`<li${attributes({ class: tone })}><strong>${words.piece(piece.from, piece.to)}</strong><small>${piece.end} ${
        short(piece.hash)
      }</small>${text === null ? null : html`<small>${text}</small>`}</li>`
    })
  }</ol>`
}

const linksTable = (visit: Visit, entries: ReadonlyArray<Json>): Html => {
  const words = texts(visit)
  return table(
    words.links,
    [{ name: words.place, kind: "money" }, { name: words.event }, { name: words.before }, { name: words.own }],
    entries.map((entry) => [
      numberAt(entry, "sequence_id"),
      linkTo(visit, "financial_events", textAt(entry, "id"), inWords(visit, textAt(entry, "event_type"))),
      short(textAt(entry, "previous_hash")),
      short(textAt(entry, "event_hash"))
    ])
  )
}

const checkpointTable = (visit: Visit, checkpoints: ReadonlyArray<Json>): Html => {
  const words = texts(visit)
  return checkpoints.length === 0 ? html`<p class="quiet">${words.noCheckpoints}</p>` : table(
    words.checkpoints,
    [{ name: words.signed }, { name: words.upTo, kind: "money" }, { name: words.head }, { name: words.root }, { name: words.key }],
    checkpoints.map((one) => [
      shown(visit, { field: "created_at", as: "time" }, one, "row"),
      numberAt(one, "last_sequence_id"),
      short(textAt(one, "head_hash")),
      short(textAt(one, "root_hash")),
      short(textAt(one, "key_id"))
    ])
  )
}

export const ledgerView = (visit: Visit, { checkpoints, entries, refusal, verification }: LedgerFacts): Html => {
  const words = texts(visit)
  const head = verification === undefined
    ? null
    : html`<p class="hash">${words.head}: <code>${textAt(verification, "head_hash")}</code></p>`
  return html`${verification === undefined ? design.alert(words.busy, refusal ?? "") : verdict(visit, verification)}<div>${
    design.button({ label: words.again, href: "/desk/ledger/verify" })
  }</div>${
    verification === undefined
      ? null
      : part(words.chain, html`<p class="quiet">${words.chainNote}</p>${drawn(visit, verification, checkpoints)}${head}`)
  }${entries.length === 0 ? null : part(words.links, html`<p class="quiet">${words.linksNote}</p>${linksTable(visit, entries)}`)}${
    part(words.checkpoints, html`<p class="quiet">${words.checkpointsNote}</p>${checkpointTable(visit, checkpoints)}`)
  }${
    part(
      words.exported,
      html`<p>${words.exportNote}</p><div>${
        design.button({ label: words.save, href: "/desk/ledger/export", attributes: { download: true } })
      }</div>`
    )
  }`
}
