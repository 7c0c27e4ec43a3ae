/** What a new grant of credits is. */
import type { DateTime } from "effect"
import type { CreditGrant } from "./model.ts"

export const newGrant = (grant: Omit<CreditGrant, "created_at" | "updated_at" | "version">, at: DateTime.Utc): CreditGrant => ({
  ...grant,
  created_at: at,
  updated_at: at,
  version: 1
})
