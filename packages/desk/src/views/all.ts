/** The views of all resources, in the order of the menu. */
import type { View } from "@svc/kernel/resource/view"
import { businessViews } from "./business.ts"
import { moneyViews } from "./money.ts"

const all = [...moneyViews, ...businessViews] as const

export const views: ReadonlyArray<View> = all

type Views = (typeof all)[number]

/** What the texts have a word for: views, fields, actions, and what forms ask for. */
export type ViewName = Views["name"]
export type FieldName = Views["columns"][number]["field"] | Views["facts"][number]["field"]
export type ActionName = { readonly [V in Views as V["name"]]: V["actions"][number]["endpoint"] }
export type InputName = Views["actions"][number]["asks"][number]["field"]
