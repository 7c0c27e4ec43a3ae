/** Packages that are too heavy for a first start: which are here, and what becomes of the others. */
import { fontGroups } from "@svc/billing/invoices/pdf/font-groups"
import { newerNode } from "@svc/confined/newer-node"
import { groups, wordPackages } from "@svc/engines/fetched/groups"
import { fetchNote } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { ServerConfig } from "@svc/server/config"
import { Effect } from "effect"
import { note, ok } from "./finding.ts"

export const fetched = Effect.gen(function*() {
  const { backends: { embeddings }, fetchPackages } = yield* ServerConfig
  const wanted = [...groups, newerNode, ...fontGroups, ...(embeddings.local === "words" ? [wordPackages] : [])]
  const lines = Effect.flatMap(
    FetchedPackages,
    ({ state }) =>
      Effect.forEach(wanted, (group) =>
        Effect.map(
          state(group),
          (known) => ({ isReady: known._tag === "Ready", line: fetchNote(group, known) ?? `${group.brings}: ready` })
        ))
  )
  const found = yield* Effect.provide(lines, FetchedPackages.layer(fetchPackages))
  const says = found.map(({ line }) => line).join("; ")
  return found.every(({ isReady }) => isReady) ? ok(says) : note(says)
})
