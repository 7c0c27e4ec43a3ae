/** Every utility tool called on a service that was just started: with the programs that Debian has, and without them. */
import { parseJson } from "@svc/kernel/values/json"
import { iso, realNow } from "@svc/kernel/values/time"
import { priceIn } from "@svc/tool-kit/tool"
import { compiled } from "@svc/tools/catalog/index"
import { Console, Effect, Schedule } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, realpathSync, writeFileSync } from "node:fs"
import { release, type } from "node:os"
import { join } from "node:path"
import { grantCredits, openCaller } from "../agents/service.ts"
import { field } from "../clients/conformance/parts.ts"
import { newerNodePath } from "../confined/newer-node.ts"
import { dataDir, startServer } from "../kills/server.ts"
import { type Answer, callsOf, type Given, givenWith, type UtilityCall } from "./calls.ts"
import { modelServer } from "./model-server.ts"
import { site } from "./site.ts"

const ROOT = join(import.meta.dirname, "../../../..")
const PAGE = "docs/evidence/utilities.md"

/** What Debian has for these tools. */
const PROGRAMS = ["bwrap", "espeak-ng", "ffmpeg", "pocketsphinx_continuous", "tesseract", "whisper-cli"]
const FOLDERS = ["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin"]

const installedPrograms = (): ReadonlyArray<string> =>
  Array.from(
    new Set(
      FOLDERS.flatMap((folder) => PROGRAMS.map((name) => `${folder}/${name}`)).filter((path) => existsSync(path)).map((path) =>
        realpathSync(path)
      )
    )
  )

/** A way to start the service. */
interface Start {
  readonly title: string
  readonly hides: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  /** Whether every tool has to answer. */
  readonly isWhole: boolean
}

const EVERYWHERE = { TOOLS_EGRESS_ALLOW: "127.0.0.1" }

const startsOf = (programs: ReadonlyArray<string>, model: string): ReadonlyArray<Start> => {
  const newer = newerNodePath()
  const whole = ["bwrap", "espeak-ng", "ffmpeg", "pocketsphinx_continuous", "tesseract"]
  return [
    { title: "Without Debian's programs and without a setting", hides: programs, environment: {}, isWhole: false },
    ...(newer === undefined
      ? []
      : [{
        title: "Without Debian's programs, `CONFINED_NODE` naming Node.js 26",
        hides: programs,
        environment: { CONFINED_NODE: newer },
        isWhole: false
      }]),
    {
      title: "With Debian's programs, `STT=pocketsphinx`, and a double of a language model (`@dwmkerr/mock-llm`)",
      hides: [],
      environment: { STT: "pocketsphinx", LLM_URL: `${model}/v1`, LLM_MODEL: "double" },
      isWhole: whole.every((name) => programs.some((path) => path.endsWith(`/${name}`)))
    }
  ]
}

interface Row {
  readonly call: UtilityCall
  readonly engine: string
  readonly rung: string
  readonly cents: string
  readonly result: string
}

const TRANSIENT: ReadonlySet<unknown> = new Set(["backend_installing", "sandbox_busy"])

interface Heard {
  readonly cents: string
  readonly isError: boolean
  readonly content: Answer
}

/** Asked again while packages are still fetched. */
const ask = (url: string, token: string, { mode, tool }: UtilityCall, args: object) =>
  Effect.promise(async (): Promise<Heard> => {
    const answer = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-agent-mode": mode },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } })
    })
    const body = parseJson(await answer.text())
    const content = field(body, "result", "structuredContent")
    return {
      cents: answer.headers.get("x-svc-request-cost") ?? "",
      isError: field(body, "result", "isError") !== false,
      content: typeof content === "object" && content !== null ? { ...content } : { error: field(body, "error") }
    }
  }).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("3 seconds").pipe(Schedule.upTo({ duration: "5 minutes" })),
      until: ({ content }) => !TRANSIENT.has(content["reason"])
    })
  )

const priceOf = ({ cents, mode, tool }: UtilityCall): number => {
  const found = compiled.find(({ name }) => name === tool)
  return cents ?? (found === undefined ? Number.NaN : priceIn(found.meta.prices, mode))
}

/** What does the work, and what stands around it, where the answer says it: the last part of the name. */
const engineOf = ({ engine = "" }: UtilityCall, content: Answer): Pick<Row, "engine" | "rung"> => {
  const name = String(content["engine"] ?? content["image"] ?? content["model_used"] ?? engine)
  const [whole = "", rung = "–"] = /, ((?:webassembly, )?(?:bubblewrap|Node\.js) [\d.]+)$/u.exec(name) ?? []
  return { engine: name.slice(0, name.length - whole.length), rung }
}

/** `| a | b |` with what would end a cell taken out, and no line longer than it tells. */
const cell = (text: string): string => text.replaceAll(/\s+/gu, " ").replaceAll("|", "\\|").slice(0, 240)

/** What must hold of an answer: what is delivered costs its price, what is not costs nothing. */
const judge = (call: UtilityCall, { cents, content, isError }: Heard, told: string, isWhole: boolean): ReadonlyArray<string> => {
  const name = `${call.tool}, ${call.mode}, ${call.what}`
  if (content["_not_configured"] === true) {
    return [
      ...(isWhole ? [`${name}: is absent where everything is there: ${told}`] : []),
      ...(cents === "0" ? [] : [`${name}: is absent and costs ${cents}`])
    ]
  }
  return [
    ...(isError || !call.holds.test(told) ? [`${name}: ${told}`] : []),
    ...(Number(cents) === priceOf(call) ? [] : [`${name}: costs ${cents} and has the price ${priceOf(call)}`])
  ]
}

interface Caller {
  readonly url: string
  readonly token: string
  readonly given: Given
  readonly isWhole: boolean
}

const callOnce = Effect.fnUntraced(function*({ given, isWhole, token, url }: Caller, call: UtilityCall) {
  const heard = yield* ask(url, token, call, call.args(given))
  const { cents, content, isError } = heard
  const isAway = content["_not_configured"] === true
  const result = isAway
    ? `${String(content["reason"])}: ${String(content["detail"])}`
    : isError
    ? JSON.stringify(content["error"])
    : yield* Effect.promise(async () => call.told(content, given))
  const row: Row = { call, cents, ...(isAway ? { engine: "", rung: "" } : engineOf(call, content)), result }
  return { row, problems: judge(call, heard, result, isWhole) }
})

const play = Effect.fnUntraced(function*({ environment, hides, isWhole }: Start, pages: string) {
  const server = yield* startServer({ dataDir: yield* dataDir, hides, environment: { ...EVERYWHERE, ...environment } })
  yield* server.ready
  const who = yield* openCaller("Utilities")
  yield* grantCredits(who, 10_000)
  const given = yield* Effect.promise(() => givenWith(pages))
  return yield* Effect.forEach(callsOf(given), (call) => callOnce({ url: server.toolsUrl, token: who.key, given, isWhole }, call))
}, Effect.scoped)

const table = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => [
  "| tool | mode | call | engine | rung | cents | result |",
  "|---|---|---|---|---|---|---|",
  ...rows.map(({ call: { mode, tool, what }, cents, engine, result, rung }) =>
    `| \`${tool}\` | ${mode} | ${what} | ${cell(engine)} | ${rung} | ${cents} | ${cell(result)} |`
  )
]

const canHide = (): boolean => spawnSync("/usr/bin/unshare", ["--mount", "/bin/true"]).status === 0

/** Writes the table of all calls, and tells what did not hold. */
export const utilities = Effect.gen(function*() {
  const programs = installedPrograms()
  const pages = yield* site
  const starts = startsOf(programs, yield* modelServer)
  const played: Array<{ readonly title: string; readonly rows: ReadonlyArray<Row>; readonly problems: ReadonlyArray<string> }> = []
  for (const start of starts) {
    if (start.hides.length > 0 && !canHide()) {
      yield* Console.log(`skipped: "${start.title}" needs root, who may hide programs from the service by mounts.`)
      continue
    }
    const answers = yield* play(start, pages)
    played.push({ title: start.title, rows: answers.map(({ row }) => row), problems: answers.flatMap(({ problems }) => problems) })
    yield* Console.log(`${start.title}: ${answers.length} calls`)
  }
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim()
  const lines = [
    "# The utility tools, called",
    "",
    "Written by `npm run prove -- --utilities`, which starts the service anew for each table, on a database and a folder of its own,",
    "and calls each tool in every mode that has a price. It fails where a call costs or holds what it should not. What Debian has",
    `(${PROGRAMS.map((name) => `\`${name}\``).join(", ")}) is hidden from the service by mounts.`,
    "",
    `- date: ${iso(yield* realNow).slice(0, 10)}, commit ${commit}`,
    `- ${type()} ${release()}, Node.js ${process.versions.node}, started ${process.getuid?.() === 0 ? "as root" : "by a user"}`,
    `- Debian's programs that were there: ${programs.map((path) => `\`${path}\``).join(", ") || "none"}`,
    ...played.flatMap(({ rows, title }) => ["", `## ${title}`, "", ...table(rows)]),
    ""
  ]
  yield* Effect.sync(() => writeFileSync(join(ROOT, PAGE), lines.join("\n")))
  return { calls: played.reduce((sum, { rows }) => sum + rows.length, 0), problems: played.flatMap(({ problems }) => problems), page: PAGE }
}).pipe(Effect.scoped)
