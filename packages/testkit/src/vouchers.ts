import { Rails } from "@svc/payments/rails/rail"
import type { Rail } from "@svc/payments/rails/rail"
import { Effect } from "effect"

const approved = (reference: string, amount: number, captured: boolean) =>
  Effect.succeed({ _tag: "Approved" as const, reference, amount, captured })
const done = (call: { readonly reference: string }) => Effect.succeed({ _tag: "Done" as const, reference: call.reference })

/** A rail that approves everything. */
export const vouchers: Rail = {
  name: "vouchers",
  currencies: ["EUR", "USD"],
  methods: ["card"],
  inline: true,
  holdSeconds: 7 * 24 * 3600,
  authorize: ({ amount, capture, key }) => approved(`voucher_${key}`, amount, capture),
  capture: done,
  refund: done,
  void: done,
  lookup: ({ amount, capture, key }) => approved(`voucher_${key}`, amount, capture),
  lookupFollowUp: done
}

/** Behind the rails that are provided below it. */
export const layer = Rails.adding(vouchers)
