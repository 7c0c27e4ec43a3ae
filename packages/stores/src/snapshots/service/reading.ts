/** What is read of snapshots. A caller sees those of their account, and those that belong to nobody. */
import { parseJson } from "@svc/kernel/values/json"
import { realNow } from "@svc/kernel/values/time"
import { ArtifactNotFound, ContentDiscarded, InvalidPath, SnapshotNotFound } from "@svc/tool-kit/services/errors"
import { type Artifact, type ArtifactText, Citation, type Snapshot } from "@svc/tool-kit/services/snapshots"
import { Effect, Schema, Stream } from "effect"
import type { SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { Turns } from "../../turns.ts"
import { bestOf, hitsIn, wordsOf } from "../lines.ts"
import { ANONYMOUS_HOURS, MIB, type SnapshotFile, type SnapshotHit, type SnapshotRow } from "../model.ts"
import { inflated } from "../packing.ts"
import { SnapshotRepository } from "../repository/rows.ts"
import { SnapshotTexts, type Text } from "../repository/texts.ts"
import { isSnapshotId, partOf, pathProblem } from "../rules.ts"

/** Bytes of a text. */
const MOST = 64 * MIB

const decodeCitations = Schema.decodeUnknownSync(Schema.Array(Citation))

/** One text for what is malformed, unknown and another account's. */
const notFound = new SnapshotNotFound({
  message: "No snapshot of yours has this id. Send the snapshot_id of an analysis; " +
    `one that was made without a key is kept ${ANONYMOUS_HOURS} hours.`
})

const discarded = new ContentDiscarded({
  message: "The source of this snapshot was discarded; its artifacts are still there. Analyze it again."
})

export interface ArtifactPlace {
  readonly path: string
  readonly offset: number
  readonly limit: number
}

export const makeReading = Effect.gen(function*() {
  const snapshots = yield* SnapshotRepository
  const texts = yield* SnapshotTexts
  const turns = yield* Turns

  const find = Effect.fnUntraced(function*(viewer: string, id: string): Effect.fn.Return<SnapshotRow, SnapshotNotFound> {
    const row = isSnapshotId(id) ? yield* Effect.orDie(snapshots.findOpen(viewer, id, yield* realNow)) : undefined
    return row ?? (yield* notFound)
  })

  /** One that belongs to the account itself. */
  const findOwn = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<SnapshotRow, SnapshotNotFound> {
    const row = yield* find(account, id)
    return row.account_id === account ? row : yield* notFound
  })

  const withContent = Effect.fnUntraced(function*(viewer: string, id: string) {
    const row = yield* find(viewer, id)
    return row.content_discarded_at === null ? row : yield* discarded
  })

  const get = Effect.fn("SnapshotStore.get")(function*(viewer: string, id: string): Effect.fn.Return<Snapshot, SnapshotNotFound> {
    const { account_id, content_discarded_at, created_at, description, status } = yield* find(viewer, id)
    const artifacts = yield* Effect.orDie(texts.artifacts(account_id, id))
    return {
      snapshot_id: id,
      status,
      project_name: description.project_name,
      artifact_count: artifacts.length,
      artifacts,
      created_at,
      content_discarded_at
    }
  })

  const artifact = Effect.fn("SnapshotStore.artifact")(function*(viewer: string, id: string, { path, ...part }: ArtifactPlace) {
    const { account_id } = yield* find(viewer, id)
    const problem = pathProblem(path)
    if (problem !== undefined) return yield* new InvalidPath({ message: `path ${problem}. get_snapshot lists the paths of artifacts.` })
    const stored = yield* Effect.orDie(texts.artifact(account_id, id, path))
    if (stored === undefined) {
      return yield* new ArtifactNotFound({ message: "The snapshot has no artifact of this path. get_snapshot lists the paths." })
    }
    const [text, citations] = yield* Effect.all([inflated(stored.deflated, MOST), inflated(stored.citations, MOST)])
    return { snapshot_id: id, path, ...partOf(text, decodeCitations(parseJson(citations)), part) } satisfies ArtifactText
  })

  /** Calls `use` for the texts of a snapshot, in the order of paths. */
  const eachOf = Effect.fnUntraced(function*<A extends Text, E>(
    after: (path: string) => Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>,
    use: (text: A) => Effect.Effect<void, E>
  ) {
    let path = ""
    for (;;) {
      const rows = yield* after(path)
      const last = rows.at(-1)
      if (last === undefined) return
      yield* Effect.forEach(rows, use, { discard: true })
      path = last.path
    }
  })

  const content = Effect.fn("SnapshotStore.content")(function*(viewer: string, id: string) {
    const { account_id, description, status } = yield* withContent(viewer, id)
    const files: Array<SnapshotFile> = []
    yield* turns.take(
      "snapshots",
      account_id,
      eachOf((path) => texts.filesAfter(account_id, id, path), (file) => Effect.sync(() => void files.push(file)))
    )
    return { account: account_id, description, status, files }
  })

  const search = Effect.fn("SnapshotStore.search")(function*(viewer: string, id: string, query: string) {
    const { account_id } = yield* withContent(viewer, id)
    const words = wordsOf(query)
    let hits: ReadonlyArray<SnapshotHit> = []
    const look = (source: SnapshotHit["source"]) => ({ deflated, path }: Text) =>
      Effect.map(inflated(deflated, MOST), (text) => {
        const found = hitsIn(words, { source, path, text })
        if (found.length > 0) hits = bestOf([...hits, ...found])
      })
    yield* turns.take(
      "snapshots",
      account_id,
      Effect.andThen(
        eachOf((path) => texts.filesAfter(account_id, id, path), look("content")),
        eachOf((path) => texts.artifactsAfter(account_id, id, path), look("artifact"))
      )
    )
    return hits
  })

  /** The artifacts of a program, or all, and their texts in the same order: each is read when it is taken. */
  const bundle = Effect.fn("SnapshotStore.bundle")(function*(viewer: string, id: string, program?: string) {
    const { account_id } = yield* find(viewer, id)
    const all = yield* Effect.orDie(texts.artifacts(account_id, id))
    const artifacts = all.filter((artifact) => program === undefined || artifact.program === program)
    const textOf = Effect.fnUntraced(function*({ path, sha256 }: Artifact) {
      const stored = yield* Effect.orDie(texts.artifact(account_id, id, path))
      const text = stored === undefined ? "" : yield* inflated(stored.deflated, MOST)
      if (stored !== undefined && hash("sha256", text, "hex") === sha256) return { path, text }
      // Half of the one and half of the other would be no bundle.
      return yield* Effect.die(new Error(`${path} of ${id} was replaced while its bundle was read`))
    })
    return { artifacts, texts: Stream.mapEffect(Stream.fromIterable(artifacts), textOf) }
  })

  return {
    get,
    /** A part of an artifact. */
    artifact,
    /** The source as it was analyzed, whose it is, and what was said of it. */
    content,
    /** The best lines of source and artifacts that hold words of the query. */
    search,
    bundle,
    findOwn,
    /** Whose it is. */
    accountOf: (viewer: string, id: string) => Effect.map(find(viewer, id), ({ account_id }) => account_id)
  }
})
