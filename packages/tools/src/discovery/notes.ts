/** What prices and plans need said besides their numbers. */
import { CREDITS_A_CENT, plans, tiers } from "@svc/metering/plans/model"

export const notes: ReadonlyArray<string> = [
  "Prices are US cents a call. X-Agent-Mode: lite or engineer chooses another price where a tool has one; every tool without one of its own costs the standard price.",
  "params._meta of a tools/call says what headers say, for one call: svc/idempotency_key (Idempotency-Key), svc/mode (X-Agent-Mode), svc/budget (X-Agent-Budget, as an object) and svc/allow_duplicate (X-Svc-Allow-Duplicate). Where both are sent they must agree.",
  "A call of which no answer came is sent again as it was: with the same idempotency key, or in a session of MCP with the same id within ten minutes, it is answered and not charged again.",
  "svc_web_research costs 5 cents in lite mode, although one listing says that lite has no discount.",
  "svc_web_research_crawl costs a cent for each page beyond the 100 of a month; svc_hygiene costs nothing to scan, and in engineer mode its price whatever is asked for; svc_web_search costs nothing but to search.",
  "A call that fails, is refused, or needs what this installation does not have costs nothing.",
  "Credits and plans are bought with POST /v1/credits/purchases, or on the page that a 402 names in checkout_url. Bought credits last a year; a plan gives its credits each month. Starter and growth last a month, pro is paid once.",
  "On the free plan, service work is paid by the call or by bought credits (402 TIER_REQUIRED); closer and deploy need a plan.",
  "A key with a budget buys no plan, and signup gives each key one: POST /v1/accounts opens an account whose key buys plans.",
  "An unpaid call is answered 402 with challenges for the Payment scheme and for x402; ping_payment tries it for one cent."
]

export const planTable = tiers.map((tier) => ({
  tier,
  price_cents: plans[tier].price,
  monthly_credits: plans[tier].allowance * CREDITS_A_CENT,
  service_work: plans[tier].serviceWork
}))
