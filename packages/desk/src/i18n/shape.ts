/** What the pages of the desk say. A language is a value of this type: a text that is missing does not compile. */
import type { Role } from "@svc/accounts/access/model"
import type { Section } from "@svc/kernel/resource/view"
import type { ActionName, FieldName, InputName, ViewName } from "../views/all.ts"
import type { WrittenName } from "../views/written.ts"
import type { AssistantTexts } from "./shapes/assistant.ts"
import type { ClockTexts } from "./shapes/clocks.ts"
import type { DisputeTexts } from "./shapes/disputes.ts"
import type { ActionTexts, DetailTexts, FrameTexts, ListTexts, Message, RefusalTexts } from "./shapes/engine.ts"
import type { ExportTexts } from "./shapes/exports.ts"
import type { HomeTexts } from "./shapes/home.ts"
import type { LedgerTexts } from "./shapes/ledger.ts"
import type { OnboardingTexts } from "./shapes/onboarding.ts"
import type { PaymentTexts } from "./shapes/payments.ts"
import type { PictureTexts } from "./shapes/pictures.ts"
import type { ReconciliationTexts } from "./shapes/reconciliation.ts"
import type { SearchTexts } from "./shapes/search.ts"
import type { SignInTexts } from "./shapes/sign-in.ts"
import type { ToolCallTexts } from "./shapes/tool-calls.ts"

export type { Message }

export interface DeskMessages {
  readonly title: string
  readonly nav: FrameTexts
  readonly sections: Readonly<Record<Section, string>>
  readonly roles: Readonly<Record<Role, string>>
  readonly installation: string
  /** What an account is: for tests, or for real money. */
  readonly testMode: string
  readonly liveMode: string
  readonly views: Readonly<Record<ViewName, { readonly many: string; readonly one: string; readonly none: string }>>
  readonly fields: Readonly<Record<FieldName | InputName, string>>
  readonly actions: { readonly [V in ViewName]: Readonly<Record<ActionName[V], string>> }
  /** Words of the contract, such as `requires_action`. */
  readonly states: Readonly<Record<string, string>>
  readonly list: ListTexts
  readonly detail: DetailTexts
  readonly action: ActionTexts
  readonly yes: string
  readonly no: string
  readonly nothing: string
  readonly signIn: SignInTexts
  readonly refusals: RefusalTexts
  readonly stale: Message
  /** Pages that are written, and no view of a resource. */
  readonly written: Readonly<Record<WrittenName, string>>
  readonly payment: PaymentTexts
  readonly dispute: DisputeTexts
  readonly reconciliation: ReconciliationTexts
  readonly clock: ClockTexts
  readonly ledger: LedgerTexts
  readonly toolCalls: ToolCallTexts
  /** What a person asked for needs a second person. */
  readonly waits: Message & { readonly open: string }
  readonly home: HomeTexts
  readonly assistant: AssistantTexts
  /** The way of an account to live. */
  readonly onboarding: OnboardingTexts
  readonly search: SearchTexts
  readonly pictures: PictureTexts
  readonly exports: ExportTexts
}
