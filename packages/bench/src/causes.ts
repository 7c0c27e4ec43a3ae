/** Why a bar of the table is missed, as far as the cause was found, and what is done about it. Printed beneath the table for each NO. */
import type { Row } from "./report.ts"

interface Miss {
  /** How the measure begins. */
  readonly measure: string
  readonly cause: string
  readonly next: string
}

const known: ReadonlyArray<Miss> = [
  {
    measure: "charges a second over the ceiling of pgbench",
    cause: "pgbench writes the same rows without a service: the ceiling leaves out the processor time of the service, which follows the " +
      "machine (the rows of processor time). 0.84 was reached where a charge took 2.37 ms of it.",
    next: "charge-budget.json holds the number of steps of a charge."
  },
  {
    measure: "charges a second over the hand-written service",
    cause: "Service and Postgres share two cores with the load. Nine indexes on payment intents serve the filters of the list, and no " +
      "update is HOT because the state is one of them: 27 of a charge's 66 index entries (charge-budget.json).",
    next: "Without the indexes on currency and rail a filter that matches nothing would read the account's whole history (0.14 ms " +
      "becomes 1.1 s at 1,000,000 intents), so they stay. Callers who can decide at once use one request instead of three."
  },
  {
    measure: "processor time of the service for a charge",
    cause: "A charge is 645 steps of Effect in three requests.",
    next: "charge-budget.json holds the number of steps; resources become plain values one after the other."
  },
  {
    measure: "one-request charges over three-request charges",
    cause: "The request saves two commits and their fixed steps; the rows of the ledger, of events and of the settlement are the same.",
    next: "Nothing: what is left is the work of the charge itself."
  },
  {
    measure: "captures a second on one hot merchant",
    cause: "One account's commits are hashed one behind the other; two cores do all of it, the load included, so the bar follows the " +
      "machine's speed.",
    next: "The cost of a charge (above) is the cost of these captures, too."
  },
  {
    measure: "latency of a request",
    cause: "A request waits for the commit under way and then for its own, which flushes the disk: two flushes and the statements between" +
      " them, on cores that the load generator shares.",
    next: "Group commit keeps the count of flushes low; the bar stands for a machine with a faster disk."
  },
  {
    measure: "checkout page to its last byte",
    cause: "A page waits for the thread that answers the half load beside it, which follows the maximum: 28.8 ms were reached at 127 " +
      "charges a second.",
    next: "Nothing yet."
  },
  {
    measure: "p99 of a payment's request while 4 sandboxes and 2 documents run",
    cause: "The programs have the idle class of the scheduler, which counts within a session alone where the kernel groups processes by " +
      "session (sched(7), autogroup): each program is a session of its own, and takes a whole share beside the service. To start one " +
      "also costs the thread that answers requests ten milliseconds of processor time.",
    next: "A control group with cpu.idle gives way truly. Tried and taken back: on two cores with other work, tests of the wall then " +
      "reach their limits of time."
  },
  {
    measure: "p99 of a payment's request at 50 a second while analyses run",
    cause: "As with sandboxes: the processes that read the files are sessions of their own, and take whole shares beside the service.",
    next: "Files are read in two processes, however many there are."
  },
  {
    measure: "growth of the server by a document",
    cause: "The body is streamed from the network to the disk and from there to the child. What grows is the heap's room for an answer " +
      "of 1 MiB of Markdown, which is copied some times on its way; documents of 1 MiB cost as much.",
    next: "Nothing yet."
  },
  {
    measure: "event made to first webhook attempt",
    cause: "Each event is a claim, a signed POST and a completion besides its charge; service, Postgres, load and receiver share two " +
      "cores, which are then busy (see the row beneath).",
    next: "Claims and completions are gathered for 12 ms, so that a statement serves several deliveries."
  },
  {
    measure: "p99 of a request meanwhile, with webhooks over without",
    cause: "Known in part. Each charge has three deliveries, which are signed, sent and read in the thread that answers requests, and " +
      "start in bursts, because claims are gathered.",
    next: "The longer commits wait, the fewer deliveries are claimed at one time; where they wait for 30 ms, few a second."
  },
  {
    measure: "highest rate of charges with webhooks over without",
    cause: "The rows of deliveries are written with the commits of requests, which do not give way to themselves; deliveries give way " +
      "by how long commits wait, and with sixteen connections these wait for less than the 30 ms that leave no room.",
    next: "Nothing yet."
  },
  {
    measure: "10,000 settlements that fall due together",
    cause: "A settlement is a commit with the payment's row, its own and two events, and three reads by key. The thread that also " +
      "answers requests is busy all the while.",
    next: "Two commits became one, and four reads three: two commits took 25.7 s on one machine."
  },
  {
    measure: "1,000,000 payments exported as CSV",
    cause: "V8 lets the heap grow while four minutes of rows pass through it. What lives after a collection is the same at the beginning " +
      "and at the end: 90.5 and 90.7 MiB.",
    next: "Nothing: it does not grow with the length of the list."
  },
  {
    measure: "a charge's requests at 50 charges/s beside an export",
    cause: "A page of 25 rows takes 6 ms of the thread that answers requests: each is asked for as the API answers it, encoded, read " +
      "again and written as a line. Pages begin in quiet moments.",
    next: "Nothing yet. Smaller pages cost more for each row."
  },
  {
    measure: "10,000 dispute deadlines and payouts due at one moment",
    cause: "Deadlines give way to requests: while many commits of requests wait, few timers run.",
    next: "Nothing: requests go first."
  },
  {
    measure: "a request meanwhile at",
    cause: "What falls due is worked on in the thread that answers requests: up to 20 at one time, two less for each commit that a " +
      "request waits for. The cores are not full (the row beneath).",
    next: "Was 7.3 times. Fewer places would take less of the thread and put off what is due."
  },
  {
    measure: "free calls of a tool over the official SDK's own server",
    cause: "The SDK's server runs one function behind no gate. Ours reads the key, counts limits, asks the policy, checks the schema and " +
      "digests arguments and answer; Effect's HTTP router alone takes a quarter of the SDK's whole call more than node:http.",
    next: "charge-budget.json holds the steps of a call."
  },
  {
    measure: "calls paid from credits (run and settled in one)",
    cause: "pgbench writes the same rows without a service, which reads the key, asks the policy and digests arguments and answer: the " +
      "ratio follows how much of the two cores that takes. 0.59 was reached on a faster machine.",
    next: "charge-budget.json holds the steps of a call."
  },
  {
    measure: "calls paid from credits",
    cause: "The two fsyncs of a reserved call are the service's own order of events; pgbench writes the same rows without waiting for the" +
      " tool.",
    next: "Tools that act within the process are charged in one commit."
  },
  {
    measure: "rate of the whole analysis over parsing alone",
    cause:
      "Facts of the files take 2.4 times as long as parsing alone: queries over each tree, and what looks at their matches. Links and " +
      "all artifacts take three quarters of it once more (the rows above).",
    next: "Facts travel as lists, and the processes that find them load no Effect. Less work a match is next."
  },
  {
    measure: "seconds of the whole analysis",
    cause: "The bar follows the machine: the ratio to parsing alone (above) does not.",
    next: "As above."
  },
  {
    measure: "10,000 renewals due at one moment",
    cause: "A renewal is an invoice, its charge and their events, in the thread that also answers requests. 51.6 s were reached where a " +
      "charge takes a third of the processor time.",
    next: "Nothing yet."
  },
  {
    measure: "metrics of 40 days",
    cause: "The answer is computed from 100,000 charges each time: no totals by day are kept.",
    next: "Nothing yet: the desk's home page asks for other totals, which are kept by day."
  },
  {
    measure: "a year of an account's clock",
    cause: "Holds expire one after the other, in the order of time, each with its commit and its flush; webhooks are delivered in that " +
      "order, too.",
    next: "Nothing: tests with a clock rely on the order."
  },
  {
    measure: "ledger verify of",
    cause: "Reading and hashing the rows alone takes most of that (the row beneath), in the one thread that also answers requests.",
    next: "The ratio to reading and hashing alone is the bar that holds on any machine."
  },
  {
    measure: "checkpoint of 1,000,000 new events",
    cause: "Each event is read and hashed once more, in one thread: the bar follows the machine, 18.6 s were reached on a faster one.",
    next: "Nothing: it runs once a day, beside requests."
  },
  {
    measure: "export of 1,000,000 events",
    cause: "Each event is read and written as a line, in one thread: the bar follows the machine, 17.1 s were reached on a faster one.",
    next: "Nothing: it is streamed, and its memory does not grow."
  },
  {
    measure: "second npm start",
    cause: "Postgres is started, a thousand modules are loaded and layers are built, on two cores.",
    next: "Nothing yet: most of it is Node reading modules."
  }
]

/** A line for each bar that was missed. */
export const misses = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.filter(({ reached }) => reached === false).map(({ measure, value }) => {
    const miss = known.find((each) => measure.startsWith(each.measure))
    const missed = `**${measure}** (${value})`
    return miss === undefined ? `${missed}: the cause is not known.` : `${missed}. Cause: ${miss.cause} Done about it: ${miss.next}`
  })
