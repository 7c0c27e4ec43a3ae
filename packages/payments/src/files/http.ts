/** The handlers of the file routes. */
import { Caller } from "@svc/accounts/access/model"
import { retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { FilesGroup } from "./api.ts"
import { FileContentType } from "./model.ts"
import { Files } from "./service.ts"

/** The router takes no other type; what stands behind a semicolon says nothing about bytes. */
const typeOf = (header: string | undefined): FileContentType =>
  Schema.decodeUnknownSync(FileContentType)(header?.split(";", 1)[0]?.trim().toLowerCase())

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(FilesGroup),
  "files",
  Effect.fnUntraced(function*(handlers) {
    const files = yield* Files
    return handlers.handleAll({
      upload: Effect.fnUntraced(function*({ payload, query, request }) {
        const { account } = yield* Caller
        return yield* files.upload({
          account: account.id,
          purpose: query.purpose,
          filename: query.filename ?? null,
          content_type: typeOf(request.headers["content-type"]),
          body: payload
        })
      }),
      list: Effect.fnUntraced(function*({ query }) {
        const { account } = yield* Caller
        const { purpose, ...page } = yield* Effect.fromResult(checkPage(query))
        return yield* listOwn(account.id, page, files.list(account.id, purpose === undefined ? {} : { purpose }, page))
      }),
      get: retrieving(files.get),
      content: Effect.fnUntraced(function*({ params }) {
        const { bytes, file: { content_type, id } } = yield* files.content((yield* Caller).account.id, params.id)
        return HttpServerResponse.uint8Array(bytes, {
          contentType: content_type,
          headers: { "content-disposition": `attachment; filename="${id}"`, "x-content-type-options": "nosniff" }
        })
      })
    })
  })
)
