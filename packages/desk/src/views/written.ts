/** The pages of the menu that are written by hand, and no view of a resource. Data. */
import type { Section } from "@svc/kernel/resource/view"

export interface WrittenPage {
  /** Its path below `/desk`. */
  readonly name: string
  readonly section: Section
  /** What its first route asks for. */
  readonly scope: string
}

export const writtenPages = [
  { name: "reconciliation", section: "books", scope: "reconciliation:read" },
  { name: "tool-calls", section: "agents", scope: "tool_calls:read" },
  { name: "assistant", section: "account", scope: "assistant:read" }
] as const satisfies ReadonlyArray<WrittenPage>

export type WrittenName = (typeof writtenPages)[number]["name"]
