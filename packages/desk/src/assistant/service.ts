/**
 * Answers a question: by a topic from rows, else by a page of the documentation, else that it does not know. Where a language model is set
 * up, it answers first, from the same. And acts, by the routes that do it.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { makeToolChat } from "@svc/engines/openai/tool-chat"
import { now } from "@svc/kernel/values/time"
import { InferenceSettings } from "@svc/tools/backends/settings"
import { Context, Effect, type FileSystem, Layer, type Path, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { amountsIn } from "../search/rules/amounts.ts"
import { doAct, isRead } from "./act.ts"
import { converse } from "./language-model/conversation.ts"
import { LEAST_CONFIDENCE, type Matched, matcherOf } from "./match.ts"
import type { AssistantActRequest, AssistantActResponse, AssistantAskRequest, AssistantAskResponse } from "./model.ts"
import { operationsOf, type Piece, readPages } from "./pages.ts"
import { type Question, questionOf } from "./question.ts"
import { type NoRow, type Read, reading, type Unreadable } from "./read.ts"
import { ActEntries } from "./repository.ts"
import type { AskRoute } from "./route.ts"
import { type Said, type Topic, withMoments } from "./topic.ts"
import { accountTopics } from "./topics/account.ts"
import { billingTopics } from "./topics/billing.ts"
import { moneyTopics } from "./topics/money.ts"
import { paymentActs, verbIn } from "./topics/payment-acts.ts"
import { paymentTopics } from "./topics/payments.ts"
import { wordTopics } from "./topics/words.ts"

export const topics: ReadonlyArray<Topic> = [
  ...paymentTopics,
  paymentActs,
  ...moneyTopics,
  ...accountTopics,
  ...billingTopics,
  ...wordTopics
]

const plain: AssistantAskResponse = {
  answer: "",
  confidence: null,
  dashboard_path: null,
  next_step_id: null,
  passthrough_session_id: null,
  referenced_topic: null,
  work_run_id: null,
  goal_progress_pct: null,
  proposed_actions: []
}

const unknown: AssistantAskResponse = {
  ...plain,
  answer: "I do not know. I answer questions about payments, money on its way, disputes, subscriptions, invoices, webhooks, keys, " +
    "getting live, and what the documentation says. Name an id such as pi_… where you ask about one of them."
}

const rounded = (confidence: number): number => Math.round(confidence * 100) / 100

const ofTopic = ({ confidence, item }: Matched<Topic>, said: Said): AssistantAskResponse => ({
  ...plain,
  answer: said.answer,
  confidence: rounded(confidence),
  dashboard_path: said.path,
  referenced_topic: item.name,
  work_run_id: said.work_run_id ?? null,
  next_step_id: said.next_step_id ?? null,
  goal_progress_pct: said.goal_progress_pct ?? null,
  proposed_actions: said.proposed_actions ?? []
})

const ofPiece = ({ confidence, item: { file, heading, text } }: Matched<Piece>): AssistantAskResponse => ({
  ...plain,
  answer: `${text} (${file}, "${heading}")`,
  confidence: rounded(confidence),
  referenced_topic: file
})

/** Nothing of it was read, or not all: so nothing is said of it. */
const withoutRows = ({ item }: Matched<Topic>, error: Unreadable | NoRow): AssistantAskResponse => ({
  ...plain,
  answer: error._tag === "NoRow"
    ? `This account has nothing under ${error.path}. Check the id.`
    : `I may not read what this is answered from: ${error.message}`,
  referenced_topic: item.name
})

/** The topic of the resource whose id is named, where the words alone do not tell. */
const byId: Readonly<Record<string, string>> = {
  pi: "declined_payment",
  dp: "disputes",
  po: "payouts",
  sub: "subscriptions",
  inv: "invoices"
}

/** Who names a payment and an act asks for the act, whatever else they say, unless they ask why it failed. Without an act, nobody does. */
const asksForAct = (question: Question): boolean =>
  question.ids["pi"] !== undefined && verbIn(question) !== undefined && !question.words.includes("fail")

const topicByAct = (topic: Matched<Topic> | undefined): Matched<Topic> =>
  topic?.item === paymentActs && topic.confidence >= LEAST_CONFIDENCE ? topic : { item: paymentActs, confidence: LEAST_CONFIDENCE }

const topicById = ({ ids }: Question): Matched<Topic> | undefined => {
  const name = Object.keys(ids).map((prefix) => byId[prefix]).find((one) => one !== undefined)
  const item = topics.find((topic) => topic.name === name)
  return item === undefined ? undefined : { item, confidence: LEAST_CONFIDENCE }
}

/** How something is done is in a page, how something stands in rows. */
const isLikely = (
  { asksHow }: Question,
  topic: Matched<Topic> | undefined,
  piece: Matched<Piece> | undefined
): topic is Matched<Topic> =>
  topic !== undefined && topic.confidence >= LEAST_CONFIDENCE && (!asksHow || topic.confidence > (piece?.confidence ?? 0))

/** How an act is done: by which routes, under which idempotency key of theirs. */
export interface Acting {
  readonly ask: AskRoute
  readonly key: string
}

type Needs = HttpServerRequest.HttpServerRequest | Scope.Scope

export class Assistant extends Context.Service<Assistant, {
  readonly ask: (request: AssistantAskRequest, ask: AskRoute) => Effect.Effect<AssistantAskResponse, never, Needs>
  readonly act: (account: string, request: AssistantActRequest, acting: Acting) => Effect.Effect<AssistantActResponse, never, Needs>
}>()("@svc/desk/Assistant") {
  static readonly layer = Layer.effect(
    Assistant,
    Effect.gen(function*() {
      const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const entries = yield* ActEntries
      // The settings of all backends are read at the start, where a mistake in them is told.
      const server = yield* Effect.orDie(InferenceSettings)
      const turn = server === undefined ? undefined : yield* makeToolChat(server)
      let matcher: ReturnType<typeof matcherOf> | undefined
      /** Made with the first question: a start waits for no page. */
      const matching = Effect.fnUntraced(function*(read: Read) {
        const pages = yield* Effect.provideContext(readPages, files)
        const contract = yield* Effect.orElseSucceed(read("/openapi.json"), () => ({}))
        return matcherOf(topics, [...pages, ...operationsOf(contract)])
      })
      /** The answer without a model. */
      const answer = Effect.fnUntraced(function*(text: string, read: Read) {
        const { piece: pieceOf, topic: topicOf } = matcher ??= yield* matching(read)
        const question = questionOf(text, yield* now, amountsIn)
        const [topic, piece] = [topicOf(question), pieceOf(question)]
        const likely = isLikely(question, topic, piece) ? topic : undefined
        const other = likely?.item === paymentActs && verbIn(question) === undefined ? undefined : likely
        const sure = asksForAct(question) ? topicByAct(topic) : other ?? topicById(question)
        if (sure !== undefined) {
          return yield* sure.item.answer(question, read).pipe(
            Effect.map((said) => ofTopic(sure, said)),
            Effect.catch((error) => Effect.succeed(withoutRows(sure, error)))
          )
        }
        return piece !== undefined && piece.confidence >= LEAST_CONFIDENCE ? ofPiece(piece) : unknown
      })
      return Assistant.of({
        ask: Effect.fn("Assistant.ask")(
          function*({ question }: AssistantAskRequest, ask: AskRoute) {
            const read = reading(ask)
            if (turn === undefined) return yield* answer(question, read)
            // Not among what the model reads.
            matcher ??= yield* matching(read)
            return yield* converse(question, { turn, read, lookUp: answer, now: yield* now }).pipe(
              Effect.tapError(({ message }) => Effect.logWarning("the assistant answers without its model", message)),
              Effect.catch(() => answer(question, read))
            )
          },
          Effect.map((said) => ({ ...said, answer: withMoments(said.answer) }))
        ),
        act: Effect.fn("Assistant.act")(function*(account: string, request: AssistantActRequest, { ask, key }: Acting) {
          const done = yield* doAct(request, key, ask)
          if (done.status !== "failed" && !isRead(request.action)) yield* entries.add(account, done)
          return done
        })
      })
    })
  ).pipe(Layer.provide([NodeFileSystem.layer, NodePath.layer, ActEntries.layer]))
}
