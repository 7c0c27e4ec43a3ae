/** The contract for programs, and the pages that show it to people. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "./documented.ts"
import { chapters, pathOf } from "./reference/chapters.ts"
import { contract } from "./reference/contract.ts"
import { pagesOf } from "./reference/pages.ts"
import { sharedAnswer } from "./shared-answer.ts"
import type { SharedDocument } from "./shared-answer.ts"

const openapi = Effect.sync((): SharedDocument => ({ text: JSON.stringify(OpenApi.fromApi(Api)), contentType: "application/json" }))

/** Where the reference is. */
export const paths: ReadonlyArray<`/docs${string}`> = ["/docs", ...chapters.flatMap(({ tags }) => tags.map(pathOf))]

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  // The document is made and read once for all pages.
  const pages = yield* Effect.cached(Effect.map(contract, (read) => new Map(pagesOf(read).map((page) => [page.path, page]))))
  for (const path of paths) {
    const page = Effect.map(pages, (all): SharedDocument => {
      const { headers = {}, text = "" } = all.get(path) ?? {}
      return { text, contentType: "text/html; charset=utf-8", headers }
    })
    yield* router.add("GET", path, yield* sharedAnswer(page))
  }
  yield* router.add("GET", "/openapi.json", yield* sharedAnswer(openapi))
}))
