/** The handlers of the note routes. */
import { acting, creating, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { NotesGroup } from "./api.ts"
import { Notes } from "./service.ts"

export const layer = handlersOf(NotesGroup, Notes, (handlers, notes) =>
  handlers.handleAll({
    create: creating("note.create", notes.create),
    list: listing(notes.list),
    get: retrieving(notes.get),
    archive: acting("note.archive", notes.archive)
  }))
