/** Answers put together from JSON text that is stored as such. */
import type { Page } from "@svc/kernel/resource/pages"
import { HttpServerResponse } from "effect/http"

/** A JSON answer whose body is written already. */
export const jsonText = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: "application/json" })

/** The JSON of a page, each item as `write` writes it. */
export const pageJson = <Item>({ data, ...rest }: Page<Item>, write: (item: Item) => string): string =>
  `{"data":[${data.map(write).join(",")}],${JSON.stringify(rest).slice(1)}`
