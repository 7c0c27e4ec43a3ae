/** How long people wait who look at a merchant's payments in the desk, search them, and ask the assistant about them. */
import { hashSecret } from "@svc/accounts/api-keys/secret"
import { Clock, Effect } from "effect"
import { Connection } from "../load/connection.ts"
import { latencies } from "../load/histogram.ts"
import { accountId, secretKey } from "../merchants.ts"
import { run, settle } from "../postgres.ts"
import { BenchFailed, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { besides, searches } from "./desk-search.ts"
import { databaseWith } from "./listing.ts"

const LIST_MILLIS = 200
const ANSWER_MILLIS = 150
const SEARCH_MILLIS = 300
const ROUNDS = 15

const USER = "usr_00000000000000000000000001"
export const SESSION = "ses_bench00000000000000000000000001"

/** An owner of the first merchant who is signed in. */
export const signedIn = [
  `INSERT INTO users (id, name, created_at, updated_at, version) VALUES ('${USER}', 'Owner', now(), now(), 1)`,
  `INSERT INTO members (account_id, user_id, role, created_at, updated_at, version) VALUES ('${
    accountId(0)
  }', '${USER}', 'owner', now(), now(), 1)`,
  `INSERT INTO sessions (id, user_id, account_id, hash, created_at, seen_at, confirmed_at)
   VALUES ('ses_00000000000000000000000001', '${USER}', '${accountId(0)}', '${hashSecret(SESSION)}', now(), now(), now())`
]

/** What people filter by. */
const lists = [
  "/desk/payments",
  "/desk/payments?state=captured",
  "/desk/payments?customer_id=cus_17",
  "/desk/payments?currency=USD&created_at%5Bgte%5D=2026-01-03",
  "/desk/payments?selected_rail=card_a&state=captured",
  "/desk/payments?currency=USD&amount%5Bgte%5D=900"
]

const questions = [
  "Why was my last payment declined?",
  "When is my money available?",
  "What is missing to go live?",
  "Which webhooks fail and why?",
  "What did fees cost last month?",
  "How do I refund a payment?"
]

const attempt = <A>(ask: () => Promise<A>) =>
  Effect.tryPromise({ try: ask, catch: (error) => new BenchFailed({ message: `The desk could not be asked: ${String(error)}` }) })

/** Milliseconds of each request, in rounds; those of the first are not counted. */
const timed = Effect.fnUntraced(function*(requests: ReadonlyArray<() => Promise<{ readonly status: number; readonly body: string }>>) {
  const times: Array<number> = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const request of requests) {
      const begun = yield* Clock.monotonicTimeNanos
      const { body, status } = yield* attempt(request)
      if (status !== 200) return yield* new BenchFailed({ message: `The desk answered ${status} ${body.slice(0, 300)}` })
      if (round > 0) times.push(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6)
    }
  }
  return latencies(times)
})

export const desk = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const database = yield* databaseWith("bench_desk", plan.large)
  yield* run("bench_desk", [...signedIn, ...besides(plan.large)])
  yield* settle
  const server = yield* startServer(database.url, folder)
  const connection = yield* Effect.acquireRelease(Effect.sync(() => new Connection(server.port)), (open) => Effect.sync(() => open.close()))
  const list = yield* timed(lists.map((path) => () => connection.send("GET", path, "", "", `Cookie: desk=${SESSION}\r\n`)))
  const answer = yield* timed(
    questions.map((question) => () => connection.send("POST", "/v1/assistant/ask", secretKey(0), JSON.stringify({ question })))
  )
  const found = yield* Effect.forEach(
    Object.entries(searches(plan.large)),
    Effect.fnUntraced(function*([name, text]) {
      const path = `/v1/search?${new URLSearchParams({ q: text }).toString()}`
      const { p50, p99 } = yield* timed([() => connection.send("GET", path, secretKey(0), "")])
      return { measure: `search for ${name}, ${plan.large.toLocaleString("en")} payments in the account`, p50, p99 }
    })
  )
  const many = plan.large.toLocaleString("en")
  return [
    atMost(
      `the desk's list of payments, filtered, among ${many}, median`,
      list.p50,
      LIST_MILLIS,
      `${figure(list.p50)} ms (p99 ${figure(list.p99)})`,
      `<= ${LIST_MILLIS} ms`
    ),
    atMost(
      `an answer of the assistant, ${many} payments in the account, p99`,
      answer.p99,
      ANSWER_MILLIS,
      `${figure(answer.p99)} ms (median ${figure(answer.p50)})`,
      `<= ${ANSWER_MILLIS} ms`
    ),
    ...found.map(({ measure, p50, p99 }) =>
      atMost(`${measure}, median`, p50, SEARCH_MILLIS, `${figure(p50)} ms (p99 ${figure(p99)})`, `<= ${SEARCH_MILLIS} ms`)
    )
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
