/** What the desk says of the way to live. */
import type { WorkStepId, WorkStepState } from "@svc/onboarding/work-runs/model"

export interface OnboardingTexts {
  readonly title: string
  /** The same of an account that is live: its heading, and how it takes its first payment. */
  readonly live: { readonly title: string; readonly payment: string }
  /** How many of the steps are done. */
  readonly progress: (done: number, all: number) => string
  /** In a sandbox whose live account is open. */
  readonly opened: string
  readonly states: Readonly<Record<WorkStepState, string>>
  /** Each step: what it is, what to do while it is open, and for what it waits. */
  readonly steps: Readonly<Record<WorkStepId, { readonly title: string; readonly text: string; readonly waits: string }>>
  /** On the home page of the installation. */
  readonly requests: {
    readonly title: string
    readonly none: string
    readonly waits: string
  }
}
