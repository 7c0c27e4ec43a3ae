/** The confined child that reads what strangers wrote, and its answers: foreign, too, until they are decoded. */
import { type Engine, EngineFailed, type EngineRequest } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { Effect, Schema } from "effect"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { PageOptions, RobotsOptions } from "./page-engine.ts"

const MIB = 1024 * 1024

const PACKAGES = dirname(dirname(fileURLToPath(import.meta.resolve("linkedom/package.json"))))
const pageEngine: Engine = {
  module: `${import.meta.dirname}/page-engine.ts`,
  shows: [dirname(dirname(import.meta.dirname)), PACKAGES],
  webAssembly: false,
  warm: true,
  limits: { memory: 1024 * MIB, seconds: 30, output: 16 * MIB }
}
const ENGINE = "readability 0.6.0"

/** What a page has instead of content. */
export const obstacles = ["javascript_required", "content_blocked", "no_content"] as const

const PageAnswer = Schema.Struct({
  title: Schema.NullOr(Schema.String),
  markdown: Schema.String,
  metadata: Schema.Record(Schema.String, Schema.String),
  links: Schema.Array(Schema.String),
  obstacle: Schema.optionalKey(Schema.Literals(obstacles)),
  truncated: Schema.Boolean
})
export type PageAnswer = typeof PageAnswer.Type

const decodePage = Schema.decodeUnknownEffect(PageAnswer)
const decodeAllowed = Schema.decodeUnknownEffect(Schema.Array(Schema.Boolean))

const notRead = () => new EngineFailed({ reason: "ended", message: "The engine's answer is not what was asked for." })

export const makePageChild = Effect.map(Confined, (confined) => {
  const ask = (account: string, bytes: Uint8Array, options: PageOptions | RobotsOptions) =>
    confined.ask(pageEngine, { account, bytes, options: { ...options } } satisfies EngineRequest)
  return {
    readPage: (account: string, bytes: Uint8Array, options: PageOptions) =>
      Effect.flatMap(ask(account, bytes, options), (answer) => Effect.mapError(decodePage(answer), notRead)),
    /** Which of the addresses a robots.txt allows. */
    readRobots: (account: string, bytes: Uint8Array, options: RobotsOptions) =>
      Effect.flatMap(ask(account, bytes, options), (answer) => Effect.mapError(decodeAllowed(answer), notRead)),
    wall: confined.wall,
    /** Engine, rung and version. */
    engine: Effect.map(confined.wall, ({ name }) => `${ENGINE}, ${name}`)
  }
})
export type PageChild = Effect.Success<typeof makePageChild>
