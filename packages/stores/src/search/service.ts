/** Documents of an account: indexed, searched, removed. */
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { InvalidFields, MOST_NAMESPACES, StorageFull, type StoreBusy } from "../model.ts"
import { Turns } from "../turns.ts"
import { applied, changesOf, wordsOf } from "./changes.ts"
import { answerOf, type SearchAnswer, snippetOf } from "./excerpts.ts"
import { BYTES_A_WORD, MOST_BYTES, MOST_DOCUMENTS, MOST_WORDS, type SearchDocument, type SearchHit, type StoredDocument } from "./model.ts"
import { rank, rarities } from "./ranking.ts"
import { SearchRepository } from "./repository.ts"
import { siteAsked, siteOf } from "./sites.ts"
import { countTokens, tokensOf } from "./tokens.ts"

export interface SearchRequest {
  readonly query: string
  readonly count: number
  /** A host; what is below it counts too. */
  readonly site?: string | undefined
  readonly snippets: boolean
  readonly answer: boolean
}

export interface SearchResult extends Partial<SearchAnswer> {
  readonly hits: ReadonlyArray<SearchHit>
}

/** Documents that an answer is made from. */
const ANSWERED_FROM = 5

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, n) => total + n, 0)

const sized = ({ content, metadata = {}, title = "", url = "" }: SearchDocument) => {
  const words = wordsOf({ title, content })
  const bytes = content.length + title.length + url.length + JSON.stringify(metadata).length + new Set(words).size * BYTES_A_WORD
  return { tokens: words.length, bytes }
}

/** The first of the query's words, with how often each stands there. */
const wordsAsked = (query: string): ReadonlyMap<string, number> => new Map(Array.from(countTokens(tokensOf(query))).slice(0, MOST_WORDS))

const hitOf = ({ doc_id, metadata, title, url }: StoredDocument, score: number): SearchHit => ({
  doc_id,
  ...(url === null ? {} : { url }),
  title,
  score,
  metadata
})

type Refused = InvalidFields | StorageFull | StoreBusy

/** What an account may keep: opens a namespace while there may be one more, and refuses what is beyond the room of all. */
const makeRoom = (repository: SearchRepository["Service"]) => {
  const opened = Effect.fnUntraced(function*(account: string, name: string) {
    const namespace = yield* repository.namespace(account, name)
    if (namespace !== undefined) return namespace
    const { namespaces } = yield* repository.usage(account)
    if (namespaces >= MOST_NAMESPACES) {
      return yield* new StorageFull({
        message: `An account has at most ${MOST_NAMESPACES} namespaces of documents. Delete one, or use one of them.`
      })
    }
    return yield* repository.open(account, name, yield* now)
  })

  const refuseTooMuch = Effect.fnUntraced(function*(account: string) {
    const { bytes, documents } = yield* repository.usage(account)
    if (documents > MOST_DOCUMENTS) {
      return yield* new StorageFull({
        message: `An account keeps ${MOST_DOCUMENTS} documents, and would have ${documents}. Delete some, or whole namespaces.`
      })
    }
    if (bytes > MOST_BYTES) {
      return yield* new StorageFull({
        message:
          `An account keeps ${MOST_BYTES} bytes of documents, their words counted ${BYTES_A_WORD} each, and would have ${bytes}. Delete some, or whole namespaces.`
      })
    }
  })

  return { opened, refuseTooMuch }
}

export class Search extends Context.Service<Search, {
  /** Replaces what has the same id; how many documents the namespace has then. */
  readonly index: (account: string, namespace: string, documents: ReadonlyArray<SearchDocument>) => Effect.Effect<number, Refused>
  /** Nothing in a namespace that does not exist. */
  readonly search: (account: string, namespace: string, asked: SearchRequest) => Effect.Effect<SearchResult, InvalidFields | StoreBusy>
  /** How many there were: one or none. */
  readonly remove: (account: string, namespace: string, id: string) => Effect.Effect<number, StoreBusy>
  /** How many documents it had. */
  readonly removeNamespace: (account: string, namespace: string) => Effect.Effect<number, StoreBusy>
  readonly count: (account: string, namespace: string) => Effect.Effect<number, StoreBusy>
}>()("@svc/stores/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function*() {
      const repository = yield* SearchRepository
      const turns = yield* Turns
      const { opened, refuseTooMuch } = makeRoom(repository)

      /** The postings and counts after some documents have left and some joined. */
      const exchange = Effect.fnUntraced(
        function*(
          account: string,
          namespace: number,
          leaving: ReadonlyArray<StoredDocument>,
          joining: ReadonlyArray<StoredDocument>,
          next_number: number
        ) {
          const changes = changesOf(leaving, joining)
          yield* repository.replace(account, namespace, changes, applied(changes, yield* repository.touched(account, namespace, changes)))
          yield* repository.count(account, namespace, {
            documents: joining.length - leaving.length,
            tokens: sum(joining.map(({ tokens }) => tokens)) - sum(leaving.map(({ tokens }) => tokens)),
            bytes: sum(joining.map(({ bytes }) => bytes)) - sum(leaving.map(({ bytes }) => bytes)),
            next_number
          })
        }
      )

      const index = Effect.fnUntraced(
        function*(
          account: string,
          name: string,
          documents: ReadonlyArray<SearchDocument>
        ): Effect.fn.Return<number, InvalidFields | StorageFull | SqlError.SqlError> {
          const wrong = documents.findIndex(({ url }) => url !== undefined && siteOf(url) === undefined)
          if (wrong >= 0) return yield* new InvalidFields({ message: `documents[${wrong}].url: must be a URL of http or https.` })
          const namespace = yield* opened(account, name)
          // Of those with one id the last counts.
          const unique = new Map(documents.map((document) => [document.doc_id, document]))
          const leaving = yield* repository.documents(account, namespace.id, [...unique.keys()])
          const numbers = new Map(leaving.map(({ doc_id, number }) => [doc_id, number]))
          let next = namespace.next_number
          const joining = Array.from(unique.values(), (document) => {
            const { content, doc_id, metadata = {}, title = "", url } = document
            const site = url === undefined ? null : siteOf(url) ?? null
            return { doc_id, number: numbers.get(doc_id) ?? next++, url: url ?? null, site, title, content, metadata, ...sized(document) }
          })
          yield* exchange(account, namespace.id, leaving, joining, next)
          yield* repository.put(account, namespace.id, joining, yield* now)
          yield* refuseTooMuch(account)
          return namespace.documents + joining.length - leaving.length
        }
      )

      const search = Effect.fnUntraced(
        function*(
          account: string,
          name: string,
          { answer, count, query, site, snippets }: SearchRequest
        ): Effect.fn.Return<SearchResult, InvalidFields | SqlError.SqlError> {
          const words = wordsAsked(query)
          const requestedHost = site === undefined ? undefined : siteAsked(site)
          if (site !== undefined && requestedHost === undefined) {
            return yield* new InvalidFields({
              message: "site: must be a host, such as example.com, or an http or https URL, of which the host counts."
            })
          }
          const postings = yield* repository.postings(account, name, [...words.keys()])
          const nothing = { hits: [], ...(answer ? { answer: "", citations: [] } : {}) }
          if (postings === undefined || postings.rows.length === 0) return nothing
          const { collection, namespace, rows } = postings
          const allowed = requestedHost === undefined ? undefined : new Set(yield* repository.ofSite(account, namespace, requestedHost))
          const ranked = rank(rows, collection, words, count, allowed)
          const documents = yield* repository.numbered(account, namespace, ranked.map(({ number }) => number))
          // What is missing has just been removed by another process.
          const shown = ranked.flatMap(({ number, score }) => {
            const document = documents.get(number)
            return document === undefined ? [] : [{ document, hit: hitOf(document, score) }]
          })
          const hits = snippets
            ? yield* Effect.forEach(
              shown,
              ({ document, hit }) => Effect.as(Effect.yieldNow, { ...hit, snippet: snippetOf(document.content, words) })
            )
            : shown.map(({ hit }) => hit)
          if (!answer) return { hits }
          const sources = shown.slice(0, ANSWERED_FROM).map(({ document: { content }, hit: { doc_id, url } }) => ({
            doc_id,
            content,
            ...(url === undefined ? {} : { url })
          }))
          return { hits, ...answerOf(sources, rarities(rows, collection)) }
        }
      )

      const remove = Effect.fnUntraced(function*(account: string, name: string, id: string) {
        const namespace = yield* repository.namespace(account, name)
        if (namespace === undefined) return 0
        const leaving = yield* repository.documents(account, namespace.id, [id])
        if (leaving.length === 0) return 0
        yield* exchange(account, namespace.id, leaving, [], namespace.next_number)
        yield* repository.remove(account, namespace.id, leaving.map(({ number }) => number))
        return leaving.length
      })

      return Search.of({
        index: (account, namespace, documents) => turns.write("search", account, index(account, namespace, documents)),
        search: (account, namespace, asked) => turns.take("search", account, search(account, namespace, asked)),
        remove: (account, namespace, id) => turns.write("search", account, remove(account, namespace, id)),
        removeNamespace: (account, namespace) => turns.write("search", account, repository.removeNamespace(account, namespace)),
        count: (account, namespace) =>
          turns.take("search", account, Effect.map(repository.namespace(account, namespace), (found) => found?.documents ?? 0))
      })
    })
  )
}
