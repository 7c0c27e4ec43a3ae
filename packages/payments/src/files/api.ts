/** The routes of files. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound, PayloadTooLarge } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { contentTypes, FileJson, FileName, FilePurpose, MOST_BYTES } from "./model.ts"

const contents = contentTypes.map((contentType) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType })))

export class FilesGroup extends HttpApiGroup.make("files").add(
  HttpApiEndpoint.post("upload", "/files", {
    query: { purpose: FilePurpose, filename: Schema.optionalKey(FileName) },
    payload: HttpApiSchema.StreamUint8Array({ contentType: contentTypes }),
    success: FileJson.pipe(HttpApiSchema.status(201)),
    error: [InvalidState, PayloadTooLarge]
  }).annotate(RequiredScope, "files:write").annotate(Does, "answer")
    .annotateMerge(described(
      "Upload a file",
      `Send its bytes as the body, at most ${MOST_BYTES / 1024} KiB, with \`Content-Type: ${
        contentTypes.join("`, `")
      }\`. Name it in the evidence of a dispute. The same bytes sent again are the same file, ` +
        "so that a request without an answer is simply repeated."
    )),
  HttpApiEndpoint.get("list", "/files", {
    query: { ...pageQueryOf("file"), purpose: Schema.optionalKey(FilePurpose) },
    success: PaginatedList(FileJson, "FileList")
  }).annotate(RequiredScope, "files:read")
    .annotateMerge(described("List files", "Newest first, of one purpose or of all.")),
  HttpApiEndpoint.get("get", "/files/:id", { ...byId, success: FileJson, error: NotFound })
    .annotate(RequiredScope, "files:read")
    .annotateMerge(described("Retrieve a file", "What it is, without its bytes.")),
  HttpApiEndpoint.get("content", "/files/:id/content", { ...byId, success: contents, error: NotFound })
    .annotate(RequiredScope, "files:read")
    .annotateMerge(described("Read a file", "Its bytes, in its own `Content-Type`, to be saved and not to be shown."))
).pipe(forMerchants({ title: "Files", description: "What is uploaded to be shown to somebody else, such as evidence for a dispute." })) {}
