/** How people look at files. */
import { viewOf } from "@svc/kernel/resource/view"
import { FilesGroup } from "./api.ts"
import { FileJson, FilePurpose } from "./model.ts"

export const filesView = viewOf(FilesGroup, FileJson, {
  name: "files",
  section: "money",
  columns: [
    { field: "filename", as: "text" },
    { field: "purpose", as: "state" },
    { field: "content_type", as: "text" },
    { field: "size", as: "number" },
    { field: "created_at", as: "time" }
  ],
  filters: ["purpose"],
  facts: [
    { field: "id", as: "id" },
    { field: "filename", as: "text" },
    { field: "purpose", as: "state" },
    { field: "content_type", as: "text" },
    { field: "size", as: "number" },
    { field: "sha256", as: "text" },
    { field: "created_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "upload",
      on: "all",
      asks: [
        { field: "file", as: "file" },
        { field: "purpose", as: "choice", from: FilePurpose.literals },
        { field: "filename", as: "text", optional: true }
      ]
    },
    { endpoint: "content", on: "one", asks: [] }
  ]
})
