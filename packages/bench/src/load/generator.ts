/** The load, in a process of its own: takes one job from its parent, does it, reports, and ends. */
import { secretKey } from "../merchants.ts"
import { authorize, capture, create, pay, type Send } from "./charge.ts"
import { latencies } from "./histogram.ts"
import type { Job, JobResult } from "./job.ts"
import { Pool } from "./pool.ts"
import { openCaller } from "./tool-call.ts"

const samples = { latency: new Array<number>(), lateness: new Array<number>() }
const trouble = { count: 0, example: undefined as string | undefined }

const note = (error: unknown): void => {
  trouble.count++
  trouble.example ??= error instanceof Error ? error.message : String(error)
}

/** Runs `act` as the request scheduled for `due`, milliseconds of performance.now, and measures from there. */
const measured = async <A>(due: number, counts: () => boolean, act: () => Promise<A>): Promise<A> => {
  const sent = performance.now()
  const result = await act()
  if (counts()) {
    samples.latency.push(performance.now() - due)
    samples.lateness.push(Math.max(0, sent - due))
  }
  return result
}

type Charges = Extract<Job, { readonly kind: "charges" }>

const chargesAtRate = async (job: Charges, send: Send): Promise<Pick<JobResult, "done" | "seconds">> => {
  const gap = 1000 / job.rate
  const start = performance.now() + 50
  const measureFrom = start + job.warmup * 1000
  const end = measureFrom + job.seconds * 1000
  let done = 0
  const one = async (n: number): Promise<void> => {
    const merchant = job.firstMerchant + (n % job.merchants)
    const due = start + n * gap
    const counts = () => due >= measureFrom
    try {
      const id = await measured(due, counts, () => create(send, merchant))
      // Each of the three streams of requests has the constant rate; a step whose time came before its
      // predecessor's answer goes out late, and the wait counts.
      await until(due + STEP)
      await measured(due + STEP, counts, () => authorize(send, merchant, id))
      await until(due + 2 * STEP)
      await measured(due + 2 * STEP, counts, () => capture(send, merchant, id))
      if (counts()) done++
    } catch (error) {
      note(error)
    }
  }
  const running: Array<Promise<void>> = []
  for (let n = 0; start + n * gap < end; n++) {
    await until(start + n * gap)
    running.push(one(n))
  }
  await Promise.all(running)
  return { done, seconds: job.seconds }
}

/** Milliseconds from a charge's first request to its second, and on to its third. */
const STEP = 50

/** Timers are a millisecond coarse, so up to that much is added to what is measured; never taken away. */
const until = (moment: number): Promise<void> => {
  const left = moment - performance.now()
  return left <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, Math.ceil(left)))
}

/** One charge of a merchant; `counts` says whether what begins now is measured. */
type Charge = (merchant: number, counts: () => boolean) => Promise<void>

const inThreeRequests = (send: Send): Charge => async (merchant, counts) => {
  const id = await measured(performance.now(), counts, () => create(send, merchant))
  await measured(performance.now(), counts, () => authorize(send, merchant, id))
  await measured(performance.now(), counts, () => capture(send, merchant, id))
}

const inOneRequest = (send: Send): Charge => (merchant, counts) => measured(performance.now(), counts, () => pay(send, merchant))

const chargesAtMost = async (
  job: Charges | Extract<Job, { readonly kind: "one_request_charges" }>,
  charge: Charge
): Promise<Pick<JobResult, "done" | "seconds">> => {
  const start = performance.now()
  const measureFrom = start + job.warmup * 1000
  const end = measureFrom + job.seconds * 1000
  let next = 0
  let done = 0
  const counts = () => performance.now() >= measureFrom
  const isOver = () => job.charges === undefined ? performance.now() >= end : next >= job.charges
  const client = async (): Promise<void> => {
    while (!isOver()) {
      const merchant = job.firstMerchant + (next++ % job.merchants)
      try {
        await charge(merchant, counts)
        if (job.charges !== undefined || (counts() && performance.now() < end)) done++
      } catch (error) {
        note(error)
        if (trouble.count > 100) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: job.connections }, client))
  return { done, seconds: job.charges === undefined ? job.seconds : (performance.now() - start) / 1000 }
}

const captures = async (job: Extract<Job, { readonly kind: "captures" }>, send: Send): Promise<Pick<JobResult, "done" | "seconds">> => {
  const ids: Array<readonly [number, string]> = []
  const inTurn = async (act: (n: number) => Promise<void>): Promise<void> => {
    let next = 0
    await Promise.all(Array.from({ length: job.connections }, async () => {
      while (next < job.captures) await act(next++)
    }))
  }
  await inTurn(async (n) => {
    const merchant = job.firstMerchant + (n % job.merchants)
    const id = await create(send, merchant)
    await authorize(send, merchant, id)
    ids.push([merchant, id])
  })
  const start = performance.now()
  await inTurn(async (n) => {
    const [merchant, id] = ids[n] ?? [0, ""]
    await measured(performance.now(), () => true, () => capture(send, merchant, id)).catch(note)
  })
  return { done: job.captures - trouble.count, seconds: (performance.now() - start) / 1000 }
}

const reads = async (job: Extract<Job, { readonly kind: "reads" }>, send: Send): Promise<Pick<JobResult, "done" | "seconds">> => {
  const warmup = Math.ceil(job.reads / 10)
  const start = performance.now()
  for (let n = 0; n < job.reads + warmup; n++) {
    const path = job.paths[n % job.paths.length] ?? "/"
    const answer = await measured(performance.now(), () => n >= warmup, () => send("GET", path, secretKey(job.firstMerchant), ""))
    if (answer.status !== 200) note(new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 200)}`))
  }
  return { done: job.reads, seconds: (performance.now() - start) / 1000 }
}

const toolCalls = async (job: Extract<Job, { readonly kind: "tool_calls" }>): Promise<Pick<JobResult, "done" | "seconds">> => {
  const callers = await Promise.all(Array.from({ length: job.connections }, (_, n) => openCaller(job, n)))
  const measureFrom = performance.now() + job.warmup * 1000
  const end = measureFrom + job.seconds * 1000
  const counts = () => performance.now() >= measureFrom
  let done = 0
  await Promise.all(callers.map(async ({ call, close }) => {
    while (performance.now() < end) {
      try {
        await measured(performance.now(), counts, call)
        if (counts() && performance.now() < end) done++
      } catch (error) {
        note(error)
        if (trouble.count > 100) throw error
      }
    }
    close()
  }))
  return { done, seconds: job.seconds }
}

const work = async (job: Job): Promise<JobResult> => {
  const pool = new Pool(job.port, job.connections)
  const send: Send = (method, path, key, body) => pool.send(method, path, key, body)
  const before = process.cpuUsage()
  const counted = await (job.kind === "charges"
    ? job.rate > 0 ? chargesAtRate(job, send) : chargesAtMost(job, inThreeRequests(send))
    : job.kind === "one_request_charges" ?
    chargesAtMost(job, inOneRequest(send))
    : job.kind === "captures" ?
    captures(job, send)
    : job.kind === "tool_calls"
    ? toolCalls(job)
    : reads(job, send))
  const { system, user } = process.cpuUsage(before)
  pool.close()
  return {
    ...counted,
    latency: latencies(samples.latency),
    lateness: latencies(samples.lateness),
    failures: trouble.count,
    failure: trouble.example,
    cpu: (system + user) / 1e6
  }
}

process.once("message", (job: Job) => {
  work(job).then(
    (result) => process.send?.({ result }, () => process.disconnect()),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }, () => process.disconnect())
  )
})
