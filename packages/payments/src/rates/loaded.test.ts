import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Download, layerDownload } from "@svc/kernel/egress/service"
import { Context, Effect, FileSystem, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { decimalOf } from "../quotes/rules.ts"
import { layerLoaded, type RatesPlace } from "./loaded.ts"
import { Rates } from "./rates.ts"

const file = (date: string, dollars: string) =>
  `<E><Cube><Cube time='${date}'><Cube currency='USD' rate='${dollars}'/><Cube currency='JPY' rate='179.42'/></Cube></Cube></E>`

/** How often the file or the address was read to its end. */
class Reads extends Context.Service<Reads, { ended: number }>()("@svc/payments/test/Reads") {
  static readonly layer = Layer.sync(Reads, () => ({ ended: 0 }))
}

/** Both ways to read are counted in `Reads`. */
const loaded = (from: RatesPlace) =>
  Layer.unwrap(Effect.map(Reads, (reads) => {
    const count = Effect.ensuring(Effect.sync(() => {
      reads.ended++
    }))
    return layerLoaded(from, 6).pipe(
      Layer.updateService(
        FileSystem.FileSystem,
        (files) => ({ ...files, readFileString: (...args) => count(files.readFileString(...args)) })
      ),
      Layer.updateService(Download, ({ get }) => ({ get: (request) => count(get(request)) }))
    )
  })).pipe(Layer.provide([layerDownload({ allow: ["127.0.0.1"] }), NodeFileSystem.layer]), Layer.provideMerge(Reads.layer))

/** Dollars for a euro. */
const dollars = Effect.gen(function*() {
  return decimalOf((yield* (yield* Rates).between("EUR", "USD")).ratio)
})

const at = (day: string) => TestClock.setTime(Date.parse(day))

/** A server of rates whose answer changes. */
const serving = Effect.acquireRelease(
  Effect.callback<{ url: string; answer: { status: number; body: string; asked: number }; close: () => void }>((resume) => {
    const answer = { status: 200, body: "", asked: 0 }
    const server = createServer((request, response) => {
      answer.asked++
      response.writeHead(request.method === "GET" ? answer.status : 405, { location: "http://127.0.0.1:1/" })
      response.end(answer.body)
    })
    server.listen(
      0,
      "127.0.0.1",
      () =>
        resume(Effect.succeed({
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rates.xml`,
          answer,
          close: () => server.close()
        }))
    )
  }),
  ({ close }) => Effect.sync(close)
)

/**
 * An hour passes, and the read of that hour, which takes real time, has ended: before that, nobody waits for the next hour. Not a minute
 * more: that would be longer than an answer may take.
 */
const anHourLater = Effect.gen(function*() {
  const reads = yield* Reads
  const next = reads.ended + 1
  yield* TestClock.adjust("1 hour")
  yield* Effect.repeat(TestClock.withLive(Effect.sleep("5 millis")), { until: () => reads.ended === next })
})

describe("loaded rates", () => {
  it.effect("are read from a file, cross exactly over the euro, and are read again each hour", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(path, file("2026-11-20", "1.1561"))
      yield* at("2026-11-22T10:00:00.000Z")
      yield* Effect.gen(function*() {
        assert.strictEqual(yield* dollars, "1.1561")
        const { date, ratio } = yield* (yield* Rates).between("USD", "JPY")
        // 179.42 / 1.1561, with nothing rounded.
        assert.deepStrictEqual([date, ratio.numerator * 11561n], ["2026-11-20", ratio.denominator * 1794200n])
        assert.deepInclude(yield* Effect.flip((yield* Rates).between("USD", "KWD")), { _tag: "NoRate", currency: "KWD" })
        yield* fs.writeFileString(path, file("2026-11-21", "1.2"))
        yield* anHourLater
        assert.strictEqual(yield* dollars, "1.2")
        // Neither an older day nor a broken file takes its place.
        for (const worse of [file("2026-11-19", "9"), "not yet written", ""]) {
          yield* fs.writeFileString(path, worse)
          yield* anHourLater
          assert.strictEqual(yield* dollars, "1.2")
        }
        yield* fs.writeFileString(path, file("2026-11-21", "1.3"))
        yield* anHourLater
        assert.strictEqual(yield* dollars, "1.3")
      }).pipe(Effect.provide(loaded({ file: path })))
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.effect("are refused once they are older than what is accepted, to the day", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(path, file("2026-11-20", "1.1561"))
      yield* at("2026-11-26T23:59:59.000Z")
      yield* Effect.gen(function*() {
        assert.strictEqual(yield* dollars, "1.1561")
        yield* at("2026-11-27T00:00:00.000Z")
        const refused = yield* Effect.flip(dollars)
        assert.deepInclude(refused, { error: "rates_unavailable" })
        assert.match(refused.message, /of 2026-11-20, 7 days ago; at most 6 days/)
      }).pipe(Effect.provide(loaded({ file: path })))
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.effect("of a file that is not there stop the start, with its name", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Effect.provide(dollars, loaded({ file: "/nowhere/rates.xml" })))
      assert.strictEqual(
        error.message,
        "RATES_FILE is \"/nowhere/rates.xml\", which cannot be read: there is no such file. " +
          "Correct it, or leave it unset for the built-in rates."
      )
    }))

  it.effect("are read from an address; while it is away, or answers something else, nothing is exchanged", () =>
    Effect.gen(function*() {
      const { answer, url } = yield* serving
      yield* at("2026-11-22T10:00:00.000Z")
      answer.status = 503
      yield* Effect.gen(function*() {
        assert.match((yield* Effect.flip(dollars)).message, /no exchange rates yet/)
        // A redirect is not followed.
        answer.status = 302
        yield* anHourLater
        assert.deepInclude(yield* Effect.flip(dollars), { error: "rates_unavailable" })
        answer.status = 200
        answer.body = file("2026-11-20", "1.1561")
        yield* anHourLater
        assert.strictEqual(yield* dollars, "1.1561")
        // A slip of a digit: no right day would ever take its place.
        answer.body = file("2062-11-20", "9")
        yield* anHourLater
        assert.strictEqual(yield* dollars, "1.1561")
        answer.body = file("2026-11-21", "1.2")
        yield* anHourLater
        assert.strictEqual(yield* dollars, "1.2")
        answer.status = 500
        yield* anHourLater
        assert.strictEqual(yield* dollars, "1.2")
        assert.strictEqual(answer.asked, 6, "once an hour")
      }).pipe(Effect.provide(loaded({ url })))
    }))

  it.effect("go by the rules for what leaves: an inner address is not asked", () =>
    Effect.gen(function*() {
      const { answer, url } = yield* serving
      answer.body = file("2026-11-20", "1.1561")
      yield* at("2026-11-22T10:00:00.000Z")
      const refused = yield* Effect.flip(
        Effect.provide(dollars, layerLoaded({ url }, 6).pipe(Layer.provide([layerDownload({ allow: [] }), NodeFileSystem.layer])))
      )
      assert.deepInclude(refused, { error: "rates_unavailable" })
    }))
})
