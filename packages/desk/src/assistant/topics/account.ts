/** Questions about getting live, webhooks, and keys. */
import { stepIds, type WorkStepId } from "@svc/onboarding/work-runs/model"
import { Effect } from "effect"
import type { ActKind } from "../model.ts"
import { proposalOf } from "../proposals.ts"
import { numberIn, type Read, type Row, rowsIn, textIn } from "../read.ts"
import { counted, dayOf, listed, type Topic } from "../topic.ts"

/** What a person does for each step, and the act that does it for them where there is one. */
const steps: Readonly<Record<WorkStepId, { readonly title: string; readonly act?: ActKind }>> = {
  terms: { title: "accept the terms", act: "accept_tos" },
  business_verified: { title: "have your business verified", act: "open_passthrough_business_verify" },
  payout_bank: { title: "add a bank account for payouts", act: "open_passthrough_payout_bank" },
  webhook_endpoint: { title: "register a webhook endpoint" },
  first_payment: { title: "take a first payment" },
  live: { title: "ask the operator for the live account", act: "enable_go_live" }
}

const isStepId = (id: string): id is WorkStepId => stepIds.some((one) => one === id)

const stepsIn = (run: Row) =>
  (Array.isArray(run["steps"]) ? run["steps"] : []).flatMap((step: Row) => {
    const id = textIn(step, "id")
    return isStepId(id) ? [{ id, state: textIn(step, "state"), path: textIn(step, "desk_path"), ...steps[id] }] : []
  })

/** A live account is one already, and what is open there keeps no payment from it. */
const stillOpen = (all: ReturnType<typeof stepsIn>, runId: string): string => {
  const open = all.filter(({ state }) => state === "open")
  const waiting = all.filter(({ state }) => state === "waiting")
  if (open.length + waiting.length === 0) return `This account is live, and no step is open (${runId}).`
  const steps = open.length === 0
    ? ""
    : ` Still open here: ${listed(open.map(({ title }) => title))} (${runId}). Next: ${open[0]?.title ?? ""} (${open[0]?.path ?? ""}).`
  return `This account is live.${steps}${waiting.length === 0 ? "" : ` Under review: ${listed(waiting.map(({ title }) => title))}.`}`
}

const live: Topic = {
  name: "go_live",
  asked: [
    "what is missing to go live",
    "what do I still need before launch",
    "which onboarding steps are left",
    "how far is my onboarding",
    "what is blocking my account from production",
    "next step to activate my account",
    "how do I go live"
  ],
  answer: Effect.fnUntraced(function*(_question, read) {
    const run = yield* read("/v1/work_run")
    const all = stepsIn(run)
    const said = { work_run_id: textIn(run, "id"), goal_progress_pct: numberIn(run, "goal_progress_pct") }
    const missing = all.filter(({ state }) => state !== "done")
    const next = missing.find(({ id }) => id === textIn(run, "next_step_id"))
    const opened = textIn(run, "live_account_id")
    if (opened !== "") return { ...said, answer: `This sandbox went live: its live account is ${opened} (/desk/you).`, path: "/desk/you" }
    // A sandbox that went live names its live account; so this is the live account itself.
    if (all.some(({ id, state }) => id === "live" && state === "done")) {
      const first = missing.find(({ state }) => state === "open")
      return {
        ...said,
        answer: stillOpen(missing, said.work_run_id),
        path: first?.path ?? "/desk",
        ...first === undefined ? {} : { next_step_id: first.id },
        proposed_actions: first?.act === undefined ? [] : [proposalOf(first.act, true)]
      }
    }
    if (next === undefined) return { ...said, answer: `Nothing is missing to go live (${said.work_run_id}).`, path: "/desk" }
    const waiting = missing.filter(({ state }) => state === "waiting")
    const waits = waiting.length === 0 ? "" : ` Under review: ${listed(waiting.map(({ title }) => title))}.`
    const isOpen = next.state === "open"
    return {
      ...said,
      answer: `${counted(missing.length, "step")} of ${all.length} ${
        missing.length === 1 ? "is" : "are"
      } missing to go live (${said.work_run_id}): ${listed(missing.map(({ title }) => title))}.${waits}${
        isOpen ? ` Next: ${next.title} (${next.path}).` : ""
      }`,
      path: next.path,
      next_step_id: next.id,
      proposed_actions: [
        ...next.act === undefined || !isOpen ? [] : [proposalOf(next.act, true)],
        proposalOf("open_onboarding_status")
      ]
    }
  })
}

/** How people ask for one step alone. The last one is asked for as all of them are. */
const askedOfSteps: Readonly<Record<Exclude<WorkStepId, "live">, ReadonlyArray<string>>> = {
  terms: ["accept the terms of service", "where do I accept the terms", "sign the agreement"],
  business_verified: ["verify my business", "have my company verified", "upload documents of my business"],
  payout_bank: ["add a bank account", "add a bank account for payouts", "connect my bank account", "change the bank account for payouts"],
  webhook_endpoint: ["register a webhook endpoint", "add a webhook endpoint", "set up webhooks"],
  first_payment: ["take a first payment", "make a test payment"]
}

const sentences: Readonly<Record<string, (title: string, path: string) => string>> = {
  open: (title, path) => `To ${title}, go to ${path}.`,
  waiting: (title, path) => `The step to ${title} is under review: ${path} shows it.`,
  done: (title, path) => `The step to ${title} is done: ${path} shows it.`
}

const stepTopics: ReadonlyArray<Topic> = Object.entries(askedOfSteps).map(([name, asked]) => ({
  name,
  asked,
  answer: Effect.fnUntraced(function*(_question, read) {
    const run = yield* read("/v1/work_run")
    const step = stepsIn(run).find(({ id }) => id === name)
    if (step === undefined) return { answer: "This account has no such step.", path: "/desk" }
    const { act, path, state, title } = step
    return {
      answer: `${sentences[state]?.(title, path) ?? path} (${textIn(run, "id")})`,
      path,
      work_run_id: textIn(run, "id"),
      proposed_actions: act === undefined || state !== "open" ? [] : [proposalOf(act, true)]
    }
  })
}))

const NO_ENDPOINT = "No webhook endpoint is registered, so nothing is sent. Register one at /desk/webhook_endpoint."

/** Deliveries that failed, the newest of which are looked at for those that nobody replayed. */
const MOST_FAILED = 100
/** Deliveries that an answer names. */
const NAMED_DELIVERIES = 5

/** The last attempt of a delivery, in words. */
const attemptOf = Effect.fnUntraced(function*(read: Read, delivery: Row) {
  const attempts = rowsIn(yield* read(`/v1/webhook_events/${textIn(delivery, "id")}/attempts`))
  const last = attempts.toSorted((one, other) => numberIn(one, "number") - numberIn(other, "number")).at(-1)
  const status = last === undefined ? 0 : numberIn(last, "response_status")
  if (status > 0) return `your server answered ${status}`
  return (last === undefined ? "" : textIn(last, "error")) || textIn(delivery, "last_outcome").replaceAll("_", " ") || "no answer"
})

const REPLAYED = "replayed"

const webhooks: Topic = {
  name: "webhooks",
  asked: [
    "which webhooks fail and why",
    "are my webhooks delivered",
    "why is my endpoint not getting events",
    "failed deliveries",
    "is my webhook endpoint failing",
    "did a notification get lost"
  ],
  answer: Effect.fnUntraced(function*(_question, read) {
    const endpoint = yield* read("/v1/webhook_endpoint").pipe(Effect.catchTag("NoRow", () => Effect.succeed<Row | undefined>(undefined)))
    if (endpoint === undefined) return { answer: NO_ENDPOINT, path: "/desk/webhook_endpoint" }
    const [allFailed, retrying] = yield* Effect.all([
      read(`/v1/webhook_events?status=failed&per_page=${MOST_FAILED}`),
      read(`/v1/webhook_events?status=retrying&per_page=${NAMED_DELIVERIES}`)
    ])
    const failed = rowsIn(allFailed).filter((row) => textIn(row, "last_outcome") !== REPLAYED)
    const replayed = rowsIn(allFailed).length - failed.length
    // The newest first: their ids begin with their time.
    const rows = [...failed, ...rowsIn(retrying)].toSorted((one, other) => textIn(other, "id").localeCompare(textIn(one, "id")))
    if (rows.length === 0) {
      const since = replayed === 0
        ? ""
        : ` ${counted(replayed, "delivery", "deliveries")} that had failed ${replayed === 1 ? "was" : "were"} replayed.`
      return {
        answer: `No delivery has failed for good or waits for another try (/v1/webhook_events).${since}`,
        path: "/desk/webhook_events"
      }
    }
    const each = yield* Effect.forEach(rows.slice(0, NAMED_DELIVERIES), (row) =>
      Effect.map(attemptOf(read, row), (why) => {
        const again = textIn(row, "next_attempt_at")
        const next = again === "" ? "it is not tried again, and can be replayed" : "it is tried again"
        return `${textIn(row, "id")} (${textIn(row, "event_type")}): ${why}; ${next}`
      }))
    const waiting = Math.max(numberIn(retrying, "total"), rowsIn(retrying).length)
    const more = allFailed["has_more"] === true ? ` of the newest ${MOST_FAILED}` : ""
    // Without an address: an attempt does not say where the endpoint was at its time.
    return {
      answer: `${counted(failed.length, "delivery", "deliveries")}${more} failed for good and ${
        failed.length === 1 ? "was" : "were"
      } not replayed; ${waiting} ${waiting === 1 ? "waits" : "wait"} for another try. ${each.join(". ")}.`,
      path: "/desk/webhook_events?status=failed"
    }
  })
}

const agents: Topic = {
  name: "agent_keys",
  asked: [
    "which agent keys are active",
    "what may my agents do",
    "how many agent keys do I have",
    "agent budgets",
    "when did my agent key expire"
  ],
  answer: Effect.fnUntraced(function*(_question, read) {
    const list = yield* read("/v1/agent_keys?per_page=100")
    const keys = list["agent_keys"]
    const rows: ReadonlyArray<Row> = Array.isArray(keys) ? keys : []
    const active = rows.filter((row) => textIn(row, "Status") === "active")
    const path = "/desk/agent_keys"
    if (active.length === 0) return { answer: "No agent key is active.", path }
    const each = active.slice(0, 5).map((row) =>
      `${textIn(row, "Name")} (${textIn(row, "ID")}), ${counted(numberIn(row, "CallCount"), "call")}${
        textIn(row, "ExpiresAt") === "" ? "" : `, until ${dayOf(textIn(row, "ExpiresAt"))}`
      }`
    )
    return { answer: `${counted(active.length, "agent key")} ${active.length === 1 ? "is" : "are"} active: ${each.join("; ")}.`, path }
  })
}

const apiKeys: Topic = {
  name: "api_keys",
  asked: ["which api keys are there", "how many api keys are active", "list my secret keys", "who has an api key", "old unused api keys"],
  answer: Effect.fnUntraced(function*(_question, read) {
    const rows = rowsIn(yield* read("/v1/api_keys?per_page=100")).filter((row) => textIn(row, "status") === "active")
    const each = rows.slice(0, 5).map((row) =>
      `${textIn(row, "name")} (${textIn(row, "id")}, ${textIn(row, "kind")}, ${textIn(row, "prefix")}…)`
    )
    return {
      answer: `${counted(rows.length, "API key")} ${rows.length === 1 ? "is" : "are"} active: ${each.join("; ")}.`,
      path: "/desk/api_keys"
    }
  })
}

export const accountTopics: ReadonlyArray<Topic> = [live, webhooks, agents, apiKeys, ...stepTopics]
