/** The note: a text that a merchant keeps, until it is archived. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { eventsOf } from "@svc/kernel/resource/events"
import { exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Schema } from "effect"

export const NoteStatus = Schema.Literals(["open", "archived"]).annotate({ identifier: "NoteStatus" })
export const noteMachine: StateMachine<typeof NoteStatus.Type, "create" | "archive"> = {
  name: "note",
  states: NoteStatus.literals,
  terminal: ["archived"],
  transitions: [{ from: null, trigger: "create", to: "open" }, { from: "open", trigger: "archive", to: "archived" }]
}

/** Row and wire in one declaration: each field is a column. */
export const Note = resource({
  id: idSchema("note", "NoteId"),
  account_id: AccountId,
  text: oneLine(500),
  status: NoteStatus,
  ...versioned
})
export type Note = typeof Note.Type

export const NoteJson = Note.json.annotate({ identifier: "Note", description: "A text that you keep." }).pipe(Schema.annotateEncoded({
  examples: [{ id: exampleId("note"), account_id: exampleId("acct"), text: "Call back", status: "open", ...exampleVersion }]
}))

/** `fixed` lists what no update writes, besides id, account and `created_at`: an update writes every other column. */
export const notes = tableOf(Note, { name: "notes", account: "account_id", fixed: ["text"] })
/** What a list may be narrowed to: each name is a column. */
export const noteFilters = { status: Schema.optionalKey(NoteStatus) }
export const noteEvents = eventsOf("note", ["created", "archived"], NoteJson)

export const CreateNoteRequest = Schema.Struct({ ...requiredKey, text: Note.fields.text })
  .annotate({ identifier: "CreateNoteRequest", examples: [{ idempotency_key: "0c8a4f1e-5d1b-4f5c-8a43-2d1b7c0e9f31", text: "Call back" }] })
export const ArchiveNoteRequest = Schema.Struct(requiredKey)
  .annotate({ identifier: "ArchiveNoteRequest", examples: [{ idempotency_key: "7f0f6a52-3f0d-4f52-9b0e-61c2f4f0a1d2" }] })
