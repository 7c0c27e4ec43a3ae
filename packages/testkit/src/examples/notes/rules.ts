/** What becomes of a note. Pure: values in, a decision or a refusal out. */
import { change } from "@svc/kernel/resource/change"
import type { InvalidState } from "@svc/kernel/resource/errors"
import { checkMove } from "@svc/kernel/resource/state-machine"
import type { Decision, NewRow } from "@svc/kernel/resource/verbs"
import { type DateTime, Result } from "effect"
import { type CreateNoteRequest, type Note, noteEvents, noteMachine, notes } from "./model.ts"

const happened = (name: "created" | "archived", note: Note): Decision<Note> => ({
  resource: note,
  events: [noteEvents.draft(name, note, notes.encode(note).wire)]
})

export const create = ({ due_at, text }: typeof CreateNoteRequest.Type, row: NewRow<Note>): Decision<Note> =>
  happened("created", { ...row, text, due_at, status: "open" })

export const archive = (note: Note, at: DateTime.Utc): Result.Result<Decision<Note>, InvalidState> =>
  Result.map(checkMove(noteMachine, note.status, "archive"), () => happened("archived", change(note, at, { status: "archived" })))
