/**
 * The server as it is started, and clients that ask for much and read little of it: whoever else asks is answered, and memory stays
 * bounded.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, layer } from "@effect/vitest"
import { Credentials } from "@svc/server/credentials"
import { Context, Effect, Layer, Schema } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { join } from "node:path"
import { promisify, stripVTControlCharacters } from "node:util"
import { layerDatabase } from "../database.ts"
import { dataDir, startServer } from "../kills/server.ts"
import { processWith } from "../process.ts"
import { connections } from "../real-time.ts"
import { IN_TURN, isTurnOf } from "../turns.ts"
import { type Crowd, heavy, openCrowd } from "./heavy.ts"
import { crowd, paying } from "./neighbour.ts"

/** Mebibytes that the process may take. It has about 200 when it has worked for a while. */
const MEMORY = 700

/** How long an answer may take on a machine that does much else. */
const PATIENCE = 60_000

/** A quarter of the heap that the server is started with: what is held must be bounded, and not only fit. */
const HEAP = "--max-old-space-size=240"

interface Running {
  readonly url: string
  readonly key: string
  readonly memory: () => number
}
class Service extends Context.Service<Service, Running>()("@svc/testkit/flood/Service") {}

class Others extends Context.Service<Others, Crowd>()("@svc/testkit/flood/Others") {}

const service = Layer.effect(
  Service,
  Effect.gen(function*() {
    const folder = yield* dataDir
    const server = yield* startServer({ dataDir: folder, node: [HEAP] })
    yield* server.ready
    yield* Effect.forkScoped(Effect.tap(server.ended, (signal) => Effect.sync(() => console.log("ENDED", signal, server.output()))))
    const { secret_key } = Schema.decodeSync(Schema.fromJsonString(Credentials))(readFileSync(join(folder, "credentials.json"), "utf8"))
    // Windows has no such program, and its tests say only that everything is answered.
    const memory = () =>
      process.platform === "win32" ? 0 : Number(execFileSync("ps", ["-o", "rss=", "-p", String(server.pid)], { encoding: "utf8" })) / 1024
    return { url: server.url, key: secret_key, memory }
  })
).pipe(Layer.provide(NodeFileSystem.layer))

const ask = async ({ key, url }: Running, path: string, body?: unknown) => {
  const answer = await fetch(`${url}${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(PATIENCE)
  })
  return { status: answer.status, json: Object(await answer.json()) }
}

/** That the process lives, and takes a payment from its creation to its capture. */
const serves = async (running: Running) => {
  assert.strictEqual((await ask(running, "/livez")).status, 200)
  const { json: { id }, status } = await ask(running, "/v1/payment_intents", {
    amount: 1999,
    currency: "USD",
    idempotency_key: randomUUID()
  })
  assert.strictEqual(status, 201)
  const authorized = await ask(running, `/v1/payment_intents/${id}/authorize`, {
    payment_method_id: "tok_visa",
    idempotency_key: randomUUID()
  })
  const captured = await ask(running, `/v1/payment_intents/${id}/capture`, { idempotency_key: randomUUID() })
  assert.deepStrictEqual([authorized.status, captured.status, captured.json.state], [200, 200, "captured"])
  assert.isBelow(running.memory(), MEMORY)
}

interface Reader {
  readonly socket: Socket
  /** The first bytes of an answer have come. */
  readonly answered: Promise<unknown>
}

/** Sends a request so many times over a connection of its own, and reads nothing of what comes. */
const reader = ({ key, url }: Running, path: string, times = 1): Reader => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.on("error", () => {}).write(`GET ${path} HTTP/1.1\r\nHost: svc.test\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(times))
  return { socket, answered: Promise.race([once(socket, "readable"), once(socket, "close")]) }
}

/** Many readers, for as long as `use` takes. */
const among = (readers: ReadonlyArray<Reader>, use: () => Promise<void>) =>
  Effect.promise(async () => {
    // One of two reads a little now and then, so that something always moves.
    const slow = setInterval(() => readers.forEach(({ socket }, at) => at % 2 === 0 ? socket.read(1_000) : undefined), 100)
    try {
      await use()
    } finally {
      clearInterval(slow)
      for (const { socket } of readers) socket.destroy()
    }
  })

const run = promisify(execFile)
const isInstalled = await run("slowhttptest", ["-h"]).then(() => true, (error) => error.code !== "ENOENT")

/** What a merchant asks beside the others. `npm run bench -- --only flood` says how much longer it waits. */
const TURN = { requests: 60, millis: 120_000 }

const crowded = Layer.unwrap(Effect.gen(function*() {
  const running = yield* Service
  return Layer.effect(Others, openCrowd(running.url)).pipe(Layer.provide(processWith()), Layer.provide(connections))
})).pipe(Layer.provideMerge(service), Layer.provideMerge(layerDatabase))

describe.skipIf(!isTurnOf("flood"))(IN_TURN, () => {
  layer(Layer.provide(service, layerDatabase), { excludeTestServices: true, timeout: "60 seconds" })(
    "a server whose clients do not read",
    (it) => {
      it.effect.each(["/docs", "/openapi.json"])(
        "answers others while 30 connections have asked ten times each for %s",
        (path) =>
          Effect.gen(function*() {
            const running = yield* Service
            const readers = Array.from({ length: 30 }, () => reader(running, path, 10))
            yield* among(readers, async () => {
              await Promise.all(readers.map(({ answered }) => answered))
              for (let n = 0; n < 3; n++) await serves(running)
            })
          }),
        120_000
      )

      it.effect("answers others while 100 connections ask for the largest lists", () =>
        Effect.gen(function*() {
          const running = yield* Service
          const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`.padStart(40, "k"), "v".repeat(500)]))
          yield* Effect.forEach(Array.from({ length: 100 }), () =>
            Effect.promise(async () => {
              const { status } = await ask(running, "/v1/payment_intents", {
                amount: 1999,
                currency: "USD",
                idempotency_key: randomUUID(),
                metadata
              })
              assert.strictEqual(status, 201)
            }), { concurrency: 8 })
          const readers = Array.from({ length: 100 }, () => reader(running, "/v1/payment_intents?per_page=100"))
          yield* among(readers, async () => {
            for (let n = 0; n < 3; n++) {
              await serves(running)
            }
            await Promise.all(readers.map(({ answered }) => answered))
            await serves(running)
          })
        }), 180_000)

      for (const path of ["/docs", "/openapi.json"]) {
        it.effect.skipIf(!isInstalled)(
          `stays up for slowhttptest -X on ${path} (left out where that program is not installed)`,
          () =>
            Effect.gen(function*() {
              const running = yield* Service
              const { stdout } = yield* Effect.promise(() =>
                run("slowhttptest", `-X -c 300 -r 100 -w 512 -y 1024 -n 5 -z 32 -k 3 -p 20 -l 6 -u ${running.url}${path}`.split(" "))
              )
              const said = Array.from(stripVTControlCharacters(stdout).matchAll(/service available: *(\w+)/g), ([, available]) => available)
              assert.deepStrictEqual(Array.from(new Set(said)), ["YES"])
              yield* Effect.promise(() => serves(running))
            }),
          120_000
        )
      }
    }
  )

  layer(crowded, { excludeTestServices: true, timeout: "180 seconds" })("a merchant beside others who ask for much", (it) => {
    it.effect.each(heavy)("is served, and so are they or are asked to come again: %s", ([what, of]) =>
      Effect.gen(function*() {
        const running = yield* Service
        const requests = of(yield* Others)
        yield* Effect.promise(async () => {
          const others = crowd(requests)
          const took = await paying(running, TURN)
          const statuses = await others.stop()
          assert.isAtLeast(took.length, TURN.requests, what)
          assert.includeMembers([200, 201, 429], Array.from(statuses.keys()), what)
          assert.isAbove((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0), 0, `${what}: nobody was answered`)
          assert.isBelow(running.memory(), MEMORY)
        })
      }), 240_000)
  })
})
