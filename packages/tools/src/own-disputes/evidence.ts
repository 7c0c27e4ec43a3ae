/** From the package that a tool assembled to the evidence of the payments API. */
import type { EvidencePackage } from "@svc/compliance/representment"
import { beginningOf } from "@svc/kernel/values/text"
import type { Evidence } from "@svc/payments/disputes/model"

/** The longest text of one field. */
const MOST = 20_000

/** What is said in a paragraph stands before what else was sent. */
const opened = (narrative: string | undefined, other: string | undefined): string | undefined =>
  narrative === undefined ? other : beginningOf([narrative, other].filter((text) => text !== undefined).join("\n\n"), MOST)

export const evidenceFrom = ({ compelling_evidence, documents, narrative }: EvidencePackage): Evidence => {
  const { other, ...texts }: { readonly [Field in EvidencePackage["documents"][number]["field"]]?: string } = Object.fromEntries(
    documents.map(({ field, text }) => [field, text])
  )
  const rest = opened(narrative, other)
  return {
    ...texts,
    ...(rest === undefined ? {} : { other: rest }),
    ...(compelling_evidence === null ? {} : { compelling_evidence: beginningOf(JSON.stringify(compelling_evidence), MOST) })
  }
}
