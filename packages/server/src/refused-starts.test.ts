/** Starts that are refused: one line says what is wrong, and of the settings and the database it does so before the services are loaded. */
import { assert, describe, it } from "@effect/vitest"
import { makeKey } from "@svc/platform/encryption/keyring"
import { freePorts } from "@svc/testkit/ports"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { loadedBy, printsLoaded, start } from "./process.fixture.ts"

const dataDir = mkdtempSync(join(tmpdir(), "svc-refused-"))
const { api, nobody, tools } = await Effect.runPromise(freePorts("api", "tools", "nobody"))
const settings = () => ({ DATA_DIR: dataDir, API_PORT: String(api), TOOLS_PORT: String(tools) })

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** What is wrong with a start, and how its refusal begins. */
const refusals: ReadonlyArray<readonly [what: string, settings: Readonly<Record<string, string>>, message: string]> = [
  ["a wrong setting", { LOG_LEVEL: "loud" }, "LOG_LEVEL is \"loud\""],
  ["one port for both listeners", { API_PORT: "4000", TOOLS_PORT: "4000" }, "API_PORT and TOOLS_PORT are both 4000"],
  ["a public address without keys", { PUBLIC_URL: "https://pay.example" }, "ENCRYPTION_KEYS is not set"],
  [
    "a public address without a key that signs",
    { PUBLIC_URL: "https://pay.example", ENCRYPTION_KEYS: makeKey("2026a") },
    "LEDGER_SIGNING_KEY is not set"
  ],
  [
    "a database that cannot be reached",
    { ...settings(), DATABASE_URL: `postgres://nobody@127.0.0.1:${nobody}/none` },
    "The database at DATABASE_URL cannot be reached"
  ]
]

describe("a start that is refused", () => {
  it.each(["127.0.0.1", "localhost"])("an unreachable DATABASE_URL at %s is one clear line", async (host) => {
    const lost = start({ ...settings(), DATABASE_URL: `postgres://nobody@${host}:${nobody}/none` })
    assert.strictEqual(await lost.ended, 1)
    assert.match(
      lost.output(),
      /^svc: The database at DATABASE_URL cannot be reached: .*ECONNREFUSED.*\. Start it, or correct DATABASE_URL; leave it unset/m
    )
  }, 180_000)

  it.each([
    ["API_PORT", "abc", "a whole number from 1 to 65535. Correct it, or leave it unset for 4000."],
    ["TOOLS_PORT", "70000", "a whole number from 1 to 65535. Correct it, or leave it unset for 4001."],
    ["DRAIN_SECONDS", "soon", "a whole number from 0 to 600. Correct it, or leave it unset for 5 with a PUBLIC_URL, else 0."],
    ["RATE_LIMIT_BURST", "0", "a whole number from 1 to 1000000. Correct it, or leave it unset for 200."],
    [
      "WEBHOOK_URL",
      "localhost:4242",
      "an address that begins with http:// or https://. Correct it, or leave it unset for http://127.0.0.1:4242/webhooks."
    ],
    [
      "WEBHOOK_URL",
      "ftp://x",
      "an address that begins with http:// or https://. Correct it, or leave it unset for http://127.0.0.1:4242/webhooks."
    ],
    [
      "EGRESS_ALLOW",
      "a b",
      "none, or host names, addresses and networks separated by commas, such as localhost:4242,10.0.0.0/8. " +
      "Correct it, or leave it unset for this machine."
    ],
    ["LOG_LEVEL", "loud", "one of Fatal, Error, Warn, Info, Debug, Trace. Correct it, or leave it unset for Info."]
  ])("%s=%s is one clear line", async (variable, value, allowed) => {
    const refused = start({ ...settings(), [variable]: value })
    assert.strictEqual(await refused.ended, 1)
    assert.strictEqual(refused.output(), `svc: ${variable} is "${value}", and must be ${allowed}\n`)
  }, 180_000)

  it.each(refusals)("%s is refused before the services are loaded", async (_what, wrong, message) => {
    const refused = start({ ...settings(), ...wrong }, printsLoaded)
    assert.strictEqual(await refused.ended, 1)
    assert.include(refused.output(), `svc: ${message}`)
    const loaded = loadedBy(refused)
    assert.includeMembers(loaded, ["packages/server/src/main.ts", "packages/server/src/config.ts"])
    const ofServices = /^packages\/.*(?:service|layer|repository|services|routes)\.ts$/u
    assert.deepStrictEqual(loaded.filter((file) => ofServices.test(file)), [])
  }, 180_000)

  it("one port for both listeners is one clear line", async () => {
    const refused = start({ ...settings(), TOOLS_PORT: String(api) })
    assert.strictEqual(await refused.ended, 1)
    assert.strictEqual(refused.output(), `svc: API_PORT and TOOLS_PORT are both ${api}. Give each of them a port of its own.\n`)
  }, 180_000)

  it("a HOST that this machine does not have is one clear line that names it", async () => {
    const refused = start({ ...settings(), HOST: "192.0.2.1" })
    assert.strictEqual(await refused.ended, 1)
    assert.strictEqual(
      refused.output(),
      "svc: Cannot listen at HOST 192.0.2.1: this machine has no such address. " +
        "Set HOST to one that it has, or leave it unset for all of them.\n"
    )
  }, 180_000)

  it("a REDIS_URL where nothing answers is one clear line", async () => {
    const refused = start({ ...settings(), REDIS_URL: `redis://127.0.0.1:${nobody}` })
    assert.strictEqual(await refused.ended, 1)
    assert.match(refused.output(), /^svc: REDIS_URL cannot be reached: .*ECONNREFUSED.*\. Start that Redis, or leave it unset/m)
    // Redis is asked before a database is made.
    assert.deepStrictEqual(await readdir(dataDir), [])
  }, 180_000)
})
