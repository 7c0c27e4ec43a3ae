/** The routes of notes. */
import { forMerchants } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { ArchiveNoteRequest, CreateNoteRequest, noteEvents, noteFilters, NoteJson, noteMachine } from "./model.ts"

const note = endpointsOf({ scope: "notes", prefix: "note", schema: NoteJson, list: "NoteList" })

export class NotesGroup extends HttpApiGroup.make("notes").add(
  HttpApiEndpoint.post("create", "/notes", note.create(CreateNoteRequest))
    .annotateMerge(note.makes("record", "Create a note", "Keeps a text.")),
  HttpApiEndpoint.get("list", "/notes", note.list(noteFilters))
    .annotateMerge(note.reads("List notes", "Newest first, of one status or of all.")),
  HttpApiEndpoint.get("get", "/notes/:id", note.get).annotateMerge(note.reads("Retrieve a note", "What it says.")),
  HttpApiEndpoint.post("archive", "/notes/:id/archive", note.act(ArchiveNoteRequest))
    .annotateMerge(note.changes("record", "Archive a note", "It stays readable."))
).pipe(forMerchants({ title: "Notes", description: "Texts that you keep.", machine: noteMachine, events: noteEvents })) {}
