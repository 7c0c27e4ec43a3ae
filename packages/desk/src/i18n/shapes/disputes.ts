import type { Category } from "@svc/compliance/reason-codes"
import type { EvidenceText } from "../../views/evidence.ts"

export interface DisputeTexts {
  readonly title: string
  readonly dueBy: string
  readonly dueNote: string
  readonly closed: string
  readonly decided: string
  readonly submitted: string
  readonly reason: string
  readonly network: string
  /** What the customer claims. */
  readonly claims: Readonly<Record<Category, string>>
  /** What answers such a claim best. */
  readonly advice: Readonly<Record<Category, string>>
  readonly helps: string
  readonly money: string
  readonly heldNow: string
  readonly heldNothing: string
  readonly fee: string
  readonly payment: string
  readonly previous: string
  readonly evidence: string
  readonly given: string
  readonly none: string
  readonly fields: Readonly<Record<EvidenceText, string>>
  readonly files: string
  readonly addFiles: string
  readonly filesNote: string
  readonly tooLarge: string
  readonly save: string
  readonly submit: string
  readonly submitNote: string
  readonly accept: string
  readonly acceptNote: string
  readonly acceptSure: string
  readonly refused: string
  readonly timeline: string
  readonly entries: string
  readonly download: string
}
