/** Where a page leads its customer back to, in the merchant's own pages. */
import { Schema } from "effect"

const message = "must be an address that begins with https:// or http://"

const isWebAddress = (text: string): boolean => URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol)

export const ReturnUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]{1,2040}$/u, { message }),
  Schema.makeFilter(isWebAddress, { message, toJsonSchema: () => ({}) })
)
