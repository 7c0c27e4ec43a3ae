/** What notes bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { NoteJson, notes as table } from "./model.ts"
import { Notes } from "./service.ts"

export const notes = {
  ...nothing,
  services: Layer.merge(Notes.layer, logged({ table, resource_type: "note", shown: NoteJson })),
  routes: http.layer,
  migrations
}
