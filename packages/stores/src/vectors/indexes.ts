/** The vectors that were asked about lately, in memory: what changed since is read from the database before each use. */
import { wholeNumber } from "@svc/kernel/parts/settings"
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { MOST_BYTES, type VectorNamespace } from "./model.ts"
import { PackedVectors } from "./packed.ts"
import { VectorRepository } from "./repository.ts"

const MIB = 1024 * 1024

/** Room for the largest account and what stands around it. */
const LEAST_MIB = MOST_BYTES * 3 / 2 / MIB

/** Mebibytes that a process gives to the vectors of all accounts. */
export class VectorMemory extends Context.Service<VectorMemory, number>()("@svc/stores/VectorMemory") {
  static readonly layer = Layer.effect(
    VectorMemory,
    Effect.gen(function*() {
      return yield* wholeNumber("TOOLS_VECTOR_MEMORY_MIB", { minimum: LEAST_MIB, maximum: 65_536, usual: 512 })
    })
  )
}

/** Namespaces in memory. What a small one takes beside its vectors is not in its bytes. */
const MOST_INDEXES = 256

interface Loaded {
  readonly packed: PackedVectors
  /** Everything up to this version is in it. */
  version: number
}

export class VectorIndexes extends Context.Service<VectorIndexes, {
  /** As the namespace stands. One call at a time for a namespace. */
  readonly fresh: (account: string, namespace: VectorNamespace) => Effect.Effect<PackedVectors, SqlError.SqlError>
  readonly forget: (namespace: number) => Effect.Effect<void>
}>()("@svc/stores/VectorIndexes") {
  static readonly layer = Layer.effect(
    VectorIndexes,
    Effect.gen(function*() {
      const repository = yield* VectorRepository
      const most = (yield* VectorMemory) * MIB
      // The index that was used last stands last.
      const loaded = new Map<number, Loaded>()

      const makeRoom = (): void => {
        let bytes = Array.from(loaded.values()).reduce((sum, { packed }) => sum + packed.bytes, 0)
        for (const [id, { packed }] of loaded) {
          if (loaded.size === 1 || (bytes <= most && loaded.size <= MOST_INDEXES)) return
          loaded.delete(id)
          bytes -= packed.bytes
        }
      }

      const recall = (namespace: VectorNamespace): Loaded => {
        const entry = loaded.get(namespace.id) ?? { packed: new PackedVectors(namespace.dimensions), version: 0 }
        loaded.delete(namespace.id)
        loaded.set(namespace.id, entry)
        return entry
      }

      const fresh = Effect.fnUntraced(function*(account: string, namespace: VectorNamespace) {
        const index = recall(namespace)
        const { packed } = index
        if (index.version < namespace.pruned && packed.size > 0) packed.keep(new Set(yield* repository.ids(account, namespace.id)))
        // Below every id: rows of the version itself are in it already.
        let after = { version: index.version + 1, id: "" }
        while (index.version < namespace.version) {
          const rows = yield* repository.changes(account, namespace.id, after)
          for (const row of rows) packed.set(row)
          const last = rows.at(-1)
          if (last === undefined) index.version = namespace.version
          else after = last
        }
        makeRoom()
        return packed
      })

      return VectorIndexes.of({ fresh, forget: (namespace) => Effect.sync(() => void loaded.delete(namespace)) })
    })
  )
}
