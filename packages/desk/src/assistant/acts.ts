/** What each kind of act asks of the API, in the name of whoever acts. Data, and no more than could be asked by hand. */
import type { HttpMethod } from "effect/http"
import type { ActKind } from "./model.ts"
import type { Row } from "./route.ts"

export type Parameters = Readonly<Record<string, string>>

export interface Act {
  readonly method: HttpMethod.HttpMethod
  /** A name after a colon is a parameter. */
  readonly path: string
  /** The parameters that it cannot do without. */
  readonly needs: ReadonlyArray<string>
  /** Those that may be given besides; `any` where they are fields of the resource. */
  readonly takes: ReadonlyArray<string> | "any"
  /** What is read before: fields of it are parameters that were not given. */
  readonly looks?: {
    readonly path: string
    readonly gives: Readonly<Record<string, string>>
  }
  readonly body?: (given: Parameters) => Row
  /** What the result holds of the answer. */
  readonly result: (answer: Row) => Row
  /** Whether the operator has to approve what was made, while it is `pending`. */
  readonly isApproved?: true
}

const SESSIONS = "/v1/passthrough_sessions"
const WORK_RUN = "/v1/work_run"

const session = ({ id, path }: Row): Row => ({ passthrough_session_id: id, path })

const opens = { method: "POST", path: SESSIONS, result: session } as const

/** The open session of the flow, or a new one. */
const openSession = (flow_kind: string): Act => ({
  ...opens,
  needs: [],
  takes: [],
  body: () => ({ flow_kind, reuse: true })
})

/** How far the account is. */
const progress = ({ goal_progress_pct, next_step_id }: Row): Row => ({ goal_progress_pct, next_step_id })

/** The page of the step that comes next. */
const nextPage = ({ next_step_id, steps }: Row): unknown =>
  Array.isArray(steps) ? steps.find((step: Row) => step["id"] === next_step_id)?.desk_path ?? "/desk" : "/desk"

const ofBankLink = { method: "POST", looks: { path: "/v1/bank_links?status=linked&per_page=1", gives: { bank_link_id: "id" } } } as const

/** Accounts of a bank, without more of them than needs to be known to choose one. */
const byLastFour = (accounts: unknown): unknown =>
  Array.isArray(accounts)
    ? accounts.map(({ currency, id, last_four, name }: Row) => ({ id, name, last_four, currency }))
    : undefined

export const acts: Readonly<Record<ActKind, Act>> = {
  open_onboarding_status: {
    method: "GET",
    path: WORK_RUN,
    needs: [],
    takes: [],
    result: (run) => ({ path: nextPage(run), ...progress(run) })
  },
  refresh_work_run: {
    method: "POST",
    path: `${WORK_RUN}/refresh`,
    needs: [],
    takes: [],
    result: (run) => ({ work_run_id: run["id"], ...progress(run) })
  },
  accept_tos: {
    method: "POST",
    path: "/v1/terms/accept",
    needs: [],
    takes: ["version"],
    looks: { path: "/v1/terms", gives: { version: "version" } },
    body: ({ version }) => ({ version }),
    result: ({ accepted_at, terms_version }) => ({ version: terms_version, accepted_at })
  },
  create_passthrough_session: { ...opens, needs: ["flow_kind"], takes: [], body: ({ flow_kind }) => ({ flow_kind }) },
  open_passthrough_payout_bank: openSession("payout_bank"),
  open_passthrough_business_verify: openSession("business_verify"),
  apply_passthrough_prefill: {
    method: "POST",
    path: `${SESSIONS}/:passthrough_session_id/prefill`,
    needs: [],
    takes: "any",
    looks: { path: `${SESSIONS}?status=open&per_page=1`, gives: { passthrough_session_id: "id" } },
    body: ({ passthrough_session_id: _, ...fields }) => ({ fields }),
    result: ({ id, prefilled }) => ({ passthrough_session_id: id, fields: prefilled })
  },
  plaid_link_token: {
    method: "POST",
    path: "/v1/bank_links",
    needs: [],
    takes: [],
    body: () => ({}),
    result: ({ expires_at, id, link_token }) => ({ bank_link_id: id, link_token, expires_at })
  },
  plaid_exchange: {
    method: "POST",
    path: "/v1/bank_links/exchange",
    needs: ["public_token"],
    takes: [],
    body: ({ public_token }) => ({ public_token }),
    result: ({ accounts, id, item_id }) => ({ bank_link_id: id, item_id, accounts: byLastFour(accounts) })
  },
  plaid_verify_payout: {
    ...ofBankLink,
    path: "/v1/bank_links/:bank_link_id/verify_payout",
    needs: ["bank_account_id"],
    takes: ["bank_link_id"],
    body: ({ bank_account_id }) => ({ bank_account_id }),
    result: ({ destination_id, status }) => ({ destination_id, status })
  },
  plaid_processor_token: {
    ...ofBankLink,
    path: "/v1/bank_links/:bank_link_id/processor_token",
    needs: [],
    takes: ["bank_link_id", "bank_account_id"],
    body: ({ bank_account_id }) => bank_account_id === undefined ? {} : { bank_account_id },
    result: ({ processor_token }) => ({ processor_token })
  },
  enable_go_live: {
    method: "POST",
    path: "/v1/go_live_requests",
    needs: [],
    takes: [],
    body: () => ({}),
    result: ({ id, live_account_id, status }) => ({ approval_id: id, status, live_account_id }),
    isApproved: true
  }
}
