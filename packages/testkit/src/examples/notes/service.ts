/** The verbs of a note: load, decide, commit. */
import { verbsOf } from "@svc/kernel/resource/verbs"
import { Context, Effect, Layer } from "effect"
import { type CreateNoteRequest, noteFilters, notes } from "./model.ts"
import * as rules from "./rules.ts"

export class Notes extends Context.Service<Notes>()("@svc/testkit/Notes", {
  make: Effect.map(verbsOf(notes, { name: "note", prefix: "note", filters: noteFilters }), ({ act, create, get, list }) => ({
    create: create("Notes.create", (request: typeof CreateNoteRequest.Type, row) => Effect.succeed(rules.create(request, row))),
    get,
    list,
    archive: act("Notes.archive", (note, { at }) => Effect.fromResult(rules.archive(note, at)))
  }))
}) {
  static readonly layer = Layer.effect(Notes, Notes.make)
}
