import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect } from "effect"
import { oneOf, unusableSetting, wholeNumber } from "./settings.ts"

const settings = Config.all({
  port: wholeNumber("PORT", { minimum: 1, maximum: 65_535, usual: 4000 }),
  level: oneOf("LEVEL", ["Info", "Debug"], "Info")
})
const read = (env: Readonly<Record<string, string>>) => Effect.provide(settings, ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)))

const number = (given: string) => `PORT is ${given}, and must be a whole number from 1 to 65535. Correct it, or leave it unset for 4000.`

describe("settings", () => {
  it.effect.each([
    { env: {}, port: 4000, level: "Info" },
    { env: { PORT: "", LEVEL: "" }, port: 4000, level: "Info" },
    { env: { PORT: "1", LEVEL: "Debug" }, port: 1, level: "Debug" },
    { env: { PORT: "65535" }, port: 65_535, level: "Info" }
  ])("$env", ({ env, level, port }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* read(env), { port, level })
    }))

  it.effect.each([
    { env: { PORT: "abc" }, line: number("\"abc\"") },
    { env: { PORT: "0" }, line: number("\"0\"") },
    { env: { PORT: "65536" }, line: number("\"65536\"") },
    { env: { PORT: "80.5" }, line: number("\"80.5\"") },
    { env: { PORT: "-80" }, line: number("\"-80\"") },
    { env: { PORT: "0x50" }, line: number("\"0x50\"") },
    { env: { PORT: "8\n0" }, line: number("\"8\\n0\"") },
    { env: { PORT: "9".repeat(400) }, line: number(`"${"9".repeat(40)}…"`) },
    { env: { LEVEL: "debug" }, line: "LEVEL is \"debug\", and must be one of Info, Debug. Correct it, or leave it unset for Info." }
  ])("$env is refused in one line", ({ env, line }) =>
    Effect.gen(function*() {
      assert.strictEqual(unusableSetting(yield* Effect.flip(read(env))), line)
    }))

  it("leaves other errors alone", () => {
    assert.isUndefined(unusableSetting(new Error("the database is away")))
  })
})
