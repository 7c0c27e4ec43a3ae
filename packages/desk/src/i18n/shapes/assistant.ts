import type { ActKind } from "../../assistant/model.ts"

/** What the page of the assistant says. */
export interface AssistantTexts {
  readonly question: string
  readonly note: string
  readonly ask: string
  readonly examples: string
  /** Questions as the assistant reads them: in English. */
  readonly asked: ReadonlyArray<string>
  readonly answer: string
  /** Where few words of the question are those of the answer's topic. */
  readonly unsure: string
  readonly open: string
  readonly helps: string
  /** What each act is called, and what it will do. */
  readonly acts: Readonly<Record<ActKind, { readonly label: string; readonly does: string }>>
  readonly statuses: { readonly completed: string; readonly needs_approval: string; readonly failed: string }
  readonly completed: string
  readonly result: string
  /** Names of what a result holds. One that is not here is said as it is. */
  readonly fields: Readonly<Record<string, string>>
  readonly again: string
}
