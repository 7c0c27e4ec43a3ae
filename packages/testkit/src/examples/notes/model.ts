/** The note: a text that a merchant keeps, until it is archived. */
import { AccountId } from "@svc/accounts/accounts/model"
import { keyOnlyRequest, requiredKey } from "@svc/kernel/resource/api"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { machineOf } from "@svc/kernel/resource/state-machine"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const NoteStatus = Schema.Literals(["open", "archived"]).annotate({ identifier: "NoteStatus" })
export const noteMachine = machineOf("note", NoteStatus, [
  { from: null, trigger: "create", to: "open" },
  { from: "open", trigger: "archive", to: "archived" }
])

const kept = { text: oneLine(500), due_at: Timestamp }
const example = { text: "Call back", due_at: EXAMPLE_TIME }

/** Row and wire in one declaration: each field is a column. */
export const Note = resource({ id: idSchema("note", "NoteId"), account_id: AccountId, ...kept, status: NoteStatus, ...versioned })
export type Note = typeof Note.Type

export const NoteJson = Note.json.annotate({ identifier: "Note", description: "A text that you keep." }).pipe(Schema.annotateEncoded({
  examples: [{ id: exampleId("note"), account_id: exampleId("acct"), ...example, status: "open", ...exampleVersion }]
}))

/** `fixed` lists what no update writes, besides id, account and `created_at`: an update writes every other column. */
export const notes = tableOf(Note, { name: "notes", account: "account_id", fixed: ["text", "due_at"], audited: true })
/** What a list may be narrowed to: each name is a column. */
export const noteFilters = { status: Schema.optionalKey(NoteStatus) }
export const noteEvents = eventsOf("note", ["created", "archived"], NoteJson)

/** The example of a body with a time is its text on the wire, which `annotateEncoded` takes. */
export const CreateNoteRequest = Schema.Struct({ ...requiredKey, ...kept }).annotate({ identifier: "CreateNoteRequest" })
  .pipe(Schema.annotateEncoded({ examples: [{ idempotency_key: "0c8a4f1e-5d1b-4f5c-8a43-2d1b7c0e9f31", ...example }] }))
export const ArchiveNoteRequest = keyOnlyRequest("ArchiveNoteRequest", "7f0f6a52-3f0d-4f52-9b0e-61c2f4f0a1d2")
