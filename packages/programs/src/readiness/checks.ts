/**
 * The seven checks of readiness for purchases by agents: what each weighs, and the facts that speak for it. A check has two needs, which
 * speak for each other: both pass, one is partial.
 */
import { pattern } from "../facts/code/pattern.ts"
import type { SignName } from "../facts/code/payment-signs.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { pathOf } from "../map/uses.ts"
import { inSources } from "./places.ts"

export interface Need {
  /** What is looked for, as a noun: "an idempotency key". */
  readonly what: string
  readonly find: (project: Project) => ReadonlyArray<AnyFact>
}

export const checkIds = [
  "psp_integration",
  "webhook_verification",
  "idempotency",
  "refund_cancel",
  "auth",
  "budget_guard",
  "payment_mandate"
] as const
export type CheckId = typeof checkIds[number]

export interface Check {
  readonly id: CheckId
  readonly title: string
  /** Points of 100. */
  readonly weight: number
  /** Without it an agent may do harm without bound, whatever else is there. */
  readonly critical: boolean
  readonly needs: readonly [Need, Need]
  /** What to do where a need is not met. */
  readonly next: string
  /** Programs whose artifacts help to close the gap. */
  readonly programs: ReadonlyArray<string>
}

const signs = (...names: ReadonlyArray<SignName>) => (project: Project): ReadonlyArray<AnyFact> =>
  inSources(project, project.facts("payment-sign")).filter(({ subject }) => names.some((name) => name === subject))

/** Modules of payment providers and of protocols by which agents pay. Types that are imported do nothing. */
const PAYMENT_MODULE = pattern(
  String.raw`^(?:stripe(?:[./]|$)|@stripe\/|github\.com\/stripe\/stripe-go|com\.stripe\.|Stripe\\|async_stripe|`,
  String.raw`@paypal\/|paypalrestsdk|paypalcheckoutsdk|@?adyen|Adyen|braintree|square(?:up)?(?:[./]|$)|@mollie\/|`,
  String.raw`mollie|razorpay|@paddle\/|@lemonsqueezy\/|checkout_sdk|gocardless|mppx(?:\/|$)|@?x402)`
)

export const paymentImports = (project: Project): ReadonlyArray<AnyFact> =>
  inSources(project, project.facts("import")).filter(({ subject, value }) => value.style !== "type" && PAYMENT_MODULE.test(subject))

const routes = (path: RegExp) => (project: Project): ReadonlyArray<AnyFact> =>
  inSources(project, project.facts("route")).filter(({ value }) => path.test(value.path))

const fields = (name: RegExp) => (project: Project): ReadonlyArray<AnyFact> =>
  inSources(project, project.facts("schema")).filter(({ value }) => value.fields.some((field) => name.test(field.name)))

const statements = (text: RegExp) => (project: Project): ReadonlyArray<AnyFact> =>
  inSources(project, project.facts("sql")).filter(({ value }) => text.test(value.text))

/** Facts of files in which the others stand, too: a random id far from payments says nothing of them. */
const beside = (facts: Need["find"], others: Need["find"]): Need["find"] => (project) => {
  const paths = new Set(others(project).map(pathOf))
  return facts(project).filter((one) => paths.has(pathOf(one)))
}

const any = (...finds: ReadonlyArray<Need["find"]>): Need["find"] => (project) => finds.flatMap((find) => find(project))

const idempotencyKey = signs("idempotency key")

export const checks: ReadonlyArray<Check> = [
  {
    id: "psp_integration",
    title: "Payments by a provider",
    weight: 20,
    critical: false,
    needs: [
      { what: "an import of a payment provider's package", find: paymentImports },
      { what: "a call that creates a payment", find: signs("payment call", "payment address") }
    ],
    next: "Create payments by a provider's package or HTTP API, in code that a route or an export leads to.",
    programs: ["agentic-purchasing", "mcp"]
  },
  {
    id: "webhook_verification",
    title: "Webhooks are verified",
    weight: 20,
    critical: false,
    needs: [
      { what: "a signature header that is read", find: signs("signature header") },
      { what: "a call that compares the signature", find: signs("signature check") }
    ],
    next: "Read the signature header, compute the HMAC over the raw body, and compare in constant time before the event is used.",
    programs: ["agentic-purchasing", "debug"]
  },
  {
    id: "idempotency",
    title: "A retry pays once",
    weight: 15,
    critical: false,
    needs: [
      { what: "an idempotency key", find: any(idempotencyKey, fields(/idempoten/iu)) },
      {
        what: "a key that is made for the operation, or a duplicate that is looked up",
        find: any(
          beside(signs("fresh key"), idempotencyKey),
          signs("duplicate lookup"),
          statements(/idempoten|on conflict|insert\s+(?:or\s+)?ignore/iu)
        )
      }
    ],
    next: "Make a random key for each operation, send it again on a retry only, and keep the first answer under it.",
    programs: ["agentic-purchasing", "superpowers"]
  },
  {
    id: "refund_cancel",
    title: "Refunds and cancellation",
    weight: 15,
    critical: false,
    needs: [
      { what: "a refund by code or by route", find: any(signs("refund call", "refund address"), routes(/refund/iu)) },
      { what: "a cancellation or a void by code or by route", find: any(signs("cancel call", "cancel address"), routes(/cancel|void/iu)) }
    ],
    next: "Offer a refund and a cancellation that a program can call.",
    programs: ["agentic-purchasing"]
  },
  {
    id: "auth",
    title: "Callers are authenticated",
    weight: 15,
    critical: false,
    needs: [
      { what: "a header with a credential", find: signs("credential header") },
      { what: "a check of the credential", find: signs("credential check") }
    ],
    next: "Read a bearer credential on each route that spends, and check it before anything else.",
    programs: ["agentic-purchasing", "skills"]
  },
  {
    id: "budget_guard",
    title: "Spending has a limit",
    weight: 10,
    critical: true,
    needs: [
      { what: "a spending limit", find: any(signs("spending limit"), fields(/budget|spend(?:ing)?_?(?:limit|cap)|max_?amount/iu)) },
      { what: "an amount that is compared with it", find: signs("spending limit compared") }
    ],
    next: "Compare each amount, and the sum of a time, with a limit before the payment is created.",
    programs: ["agentic-purchasing"]
  },
  {
    id: "payment_mandate",
    title: "Payment mandates",
    weight: 5,
    critical: false,
    needs: [
      { what: "a mandate of the Agent Payments Protocol", find: signs("mandate") },
      { what: "a check of the mandate, its hash or its expiry", find: signs("mandate check", "mandate proof") }
    ],
    next: "Take a signed mandate with the payment, and check its signature, its hash and its expiry (build_ap2_mandate shows the form).",
    programs: ["agentic-purchasing"]
  }
]
