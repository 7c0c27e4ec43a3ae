/** How people look at notes. */
import { viewOf } from "@svc/kernel/resource/view"
import { NotesGroup } from "./api.ts"
import { NoteJson } from "./model.ts"

const columns = [{ field: "text", as: "text" }, { field: "due_at", as: "time" }, { field: "status", as: "state" }] as const

export const notesView = viewOf(NotesGroup, NoteJson, {
  name: "notes",
  section: "account",
  columns,
  filters: ["status"],
  facts: [{ field: "id", as: "id" }, ...columns, { field: "created_at", as: "time" }],
  actions: [
    { endpoint: "create", on: "all", asks: [{ field: "text", as: "text" }, { field: "due_at", as: "time" }] },
    { endpoint: "archive", on: "one", when: { field: "status", in: ["open"] }, asks: [], final: true }
  ]
})
