/** The tools are those of the contract: names, order, who may call them and what they cost; and what the list of them costs an agent. */
import { assert, describe, it } from "@effect/vitest"
import { priceIn, type Prices } from "@svc/tool-kit/tool"
import { Tiktoken } from "js-tiktoken/lite"
import o200k from "js-tiktoken/ranks/o200k_base"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { categorized } from "../discovery/topics.ts"
import { all, listed } from "./index.ts"

interface Promised {
  readonly name: string
  readonly also: ReadonlyArray<string>
  readonly auth: "yes" | "no" | "scoped" | "first call no auth"
  readonly price_text: string
}

const contract: ReadonlyArray<Promised> = JSON.parse(readFileSync(join(import.meta.dirname, "contract.fixture.json"), "utf8"))

/** Promised, and not there yet. Empty when all are. */
const AWAITED: ReadonlyArray<string> = []

const promised = contract.filter(({ name }) => !AWAITED.includes(name))
const shown = all.filter(({ meta }) => meta.auth !== "agent")
const byName = new Map<string, typeof all[number]>(shown.map((one) => [one.name, one]))

/** Texts that are no list of prices by mode. */
const WORDED: Readonly<Record<string, Prices>> = {
  "scan free; fix 0.05 / 0.02; engineer 5": { standard: 5, lite: 2, engineer: 500 },
  "0.01 per page beyond monthly pool / same": { standard: 1, lite: 1 }
}

/** Dollars by mode, in the order standard, lite, engineer; `none` is no price of its own. */
const pricesOf = (text: string): Prices => {
  const worded = WORDED[text]
  if (worded !== undefined) return worded
  if (text === "free") return "free"
  const cents = text.split(" / ").map((part) => {
    const dollars = /^\d+(?:\.\d+)?/u.exec(part)?.[0]
    if (dollars === undefined && part !== "none") throw new Error(`not a price: ${part} in ${text}`)
    return dollars === undefined ? undefined : Math.round(Number(dollars) * 100)
  })
  const [standard = Number.NaN, lite, engineer] = cents
  return { standard, ...(lite === undefined ? {} : { lite }), ...(engineer === undefined ? {} : { engineer }) }
}

const auths = { yes: "key", no: "none", scoped: "scoped", "first call no auth": "none" } as const

describe("the tools of the contract", () => {
  it("are 44, in its order and before all others, and those that are awaited are truly absent", () => {
    assert.lengthOf(contract, 44)
    assert.deepStrictEqual(shown.slice(0, promised.length).map(({ name }) => name), promised.map(({ name }) => name))
    assert.isEmpty(AWAITED.filter((name) => byName.has(name)))
  })

  it.each(promised.map((one) => [one.name, one] as const))("%s has its names, callers and prices", (name, { also, auth, price_text }) => {
    const { meta } = byName.get(name) ?? assert.fail(`no ${name}`)
    assert.deepStrictEqual(meta.also ?? [], also)
    assert.strictEqual(meta.auth, auths[auth])
    const prices = pricesOf(price_text)
    for (const mode of ["standard", "lite", "engineer"] as const) {
      assert.strictEqual(priceIn(meta.prices, mode), priceIn(prices, mode), mode)
    }
    assert.strictEqual(meta.prices === "free", prices === "free")
  })

  it("are named in no table by a name that no tool has", () => {
    const known = new Set<string>([...contract, ...all].map(({ name }) => name))
    assert.isEmpty(categorized.filter((name) => !known.has(name)))
  })
})

/** Tokens that the definitions of all 44 may cost together. */
const MOST = 7000

describe("what the list of tools costs an agent", () => {
  it("is at most 7,000 tokens for the 44, and in the same proportion for fewer or more", () => {
    const encoder = new Tiktoken(o200k)
    const tokens = (value: unknown): number => encoder.encode(JSON.stringify(value)).length
    const each = listed.map((one) => [tokens(one), one.name] as const).sort(([one], [other]) => other - one)
    const whole = tokens({ tools: listed })
    process.stdout.write(
      `tools/list: ${whole} o200k tokens for ${listed.length} tools; most: ${
        each.slice(0, 8).map(([count, name]) => `${name} ${count}`).join(", ")
      }\n`
    )
    assert.isAtMost(whole, MOST * listed.length / contract.length)
  })
})
