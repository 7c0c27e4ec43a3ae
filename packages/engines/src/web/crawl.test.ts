import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { normalized } from "./addresses.ts"
import { crawl } from "./crawl.ts"
import type { Page } from "./page-reader.ts"

const ORIGIN = "https://site.example"

/** A site whose pages link to these paths. What is read, and how many pages at one time, is counted. */
const site = (links: Readonly<Record<string, ReadonlyArray<string>>>, seconds = 0) => {
  const read: Array<string> = []
  const reading = { now: 0, most: 0 }
  const page = (url: string): Page => ({
    url,
    title: null,
    markdown: `This is ${url}`,
    metadata: {},
    links: (links[new URL(url).pathname] ?? []).map((link) => new URL(link, ORIGIN).href),
    truncated: false
  })
  const reader = (url: string) =>
    Effect.gen(function*() {
      read.push(new URL(url).pathname)
      reading.most = Math.max(reading.most, ++reading.now)
      yield* Effect.sleep(`${seconds} seconds`)
      reading.now--
      return links[new URL(url).pathname] === undefined ? yield* Effect.fail("missing") : page(url)
    })
  return { read, reading, reader }
}

const bounds = { pages: 100, depth: 10, duration: Duration.seconds(60) }
const chain = (length: number) => Object.fromEntries(Array.from({ length }, (_, at) => [`/${at}`, [`/${at + 1}`]]))
const paths = ({ pages }: { readonly pages: ReadonlyArray<Page> }) => pages.map(({ url }) => new URL(url).pathname)

describe("a crawl", () => {
  it.live("reads two pages at a time, breadth first", () =>
    Effect.gen(function*() {
      const { reader, reading } = site({ "/": ["/a", "/b", "/c"], "/a": ["/d"], "/b": [], "/c": [], "/d": [] })
      assert.deepStrictEqual(paths(yield* crawl(`${ORIGIN}/`, bounds, reader)), ["/", "/a", "/b", "/c", "/d"])
      assert.strictEqual(reading.most, 2)
    }))

  it.live("goes no deeper than it may, and reads no more than it was asked for", () =>
    Effect.gen(function*() {
      const deep = site(chain(20))
      assert.lengthOf((yield* crawl(`${ORIGIN}/0`, bounds, deep.reader)).pages, 11)
      const wide = site({ "/": ["/a", "/b", "/c", "/d"], "/a": [], "/b": [], "/c": [], "/d": [] })
      assert.lengthOf((yield* crawl(`${ORIGIN}/`, { ...bounds, pages: 2 }, wide.reader)).pages, 2)
      assert.lengthOf(wide.read, 2)
    }))

  it.effect("gives what it has when its time is over, the first page's time included", () =>
    Effect.gen(function*() {
      const slow = site(chain(20), 25)
      const fiber = yield* Effect.forkChild(crawl(`${ORIGIN}/0`, bounds, slow.reader))
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(paths(yield* Fiber.join(fiber)), ["/0", "/1"])
    }))

  it.live("fails as its first page does, and skips others", () =>
    Effect.gen(function*() {
      const { reader } = site({ "/": ["/gone", "/a"], "/a": [] })
      assert.strictEqual(yield* Effect.flip(crawl(`${ORIGIN}/gone`, bounds, reader)), "missing")
      const { pages, skipped } = yield* crawl(`${ORIGIN}/`, bounds, reader)
      assert.deepStrictEqual([paths({ pages }), skipped], [["/", "/a"], [{ url: `${ORIGIN}/gone`, why: "missing" }]])
    }))
})

it.each([
  ["https://SITE.example:443/a/../b#c", "https://site.example/b"],
  ["https://site.example/?utm_source=x&q=1&gclid=2", "https://site.example/?q=1"],
  ["https://site.example/?b=2&a=1", "https://site.example/?b=2&a=1"]
])("the address %s is %s", (address, expected) => assert.strictEqual(normalized(address), expected))
