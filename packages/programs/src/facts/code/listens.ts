/** Where a server opens its port: the number, or the variable that says it, and the address that it listens on. */
import { type AnyFact, type FactValues } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Range, Source } from "./language.ts"
import { literal } from "./literals.ts"

type Listen = FactValues["listen"]

/** Functions that listen, whatever they are given; of the others a port must be told from the rest. */
const LISTENING = /(?:^|[.:>])(?:listen|ListenAndServe(?:TLS)?|HTTPServer|ThreadingHTTPServer|TCPServer|make_server|InetSocketAddress)$/u
const STARTING = /(?:^|[.:])(?:run|Run|Start|serve|Serve|run_app|run_simple|bind|Listen|Server)$/u

const OPENING = new RegExp(`${LISTENING.source}|${STARTING.source}`, "u")

const NAMED = /\bport["']?\s{0,9}[:=]\s{0,9}((?:[^,(){}\n]|\((?:[^()\n]|\([^()\n]{0,80}\)){0,80}\)){1,160})/u
const SHORTHAND = /[{,]\s{0,9}port\s{0,9}[,}]/u
const ADDRESS = /^[a-z]{0,2}["'`]([^"'`\s:]{0,60}):(\d{2,5})?["'`]/u
const HOST = /\bhost(?:name)?["']?\s{0,9}[:=]\s{0,9}["'`]([^"'`\n]{1,60})["'`]/u

const VARIABLE = new RegExp(
  "(?:\\b(?:process|Bun)\\.env\\.|\\benv\\.get\\([\"']|\\benviron\\[[\"']|\\benviron\\.get\\([\"']|[gG]etenv\\([\"']|" +
    "\\benv::var\\([\"']|\\benv\\[[\"'])([A-Za-z_]\\w{0,60})",
  "u"
)
/** A number that is no part of a name. */
const NUMBER = /(?<![\w.])(\d{2,5})(?![\w.])/u
const NAME = /^[A-Za-z_$][\w$]{0,60}$/u

interface Found {
  readonly port: number | null
  readonly variable: string | null
  readonly at?: Range
}

const portOf = (digits: string | undefined): number | null => {
  const port = Number(digits)
  return digits !== undefined && port > 0 && port < 65_536 ? port : null
}

/** What an expression says itself: `Number(process.env.PORT ?? 3000)`. */
const said = (expression: string): Found => ({
  port: portOf(NUMBER.exec(expression)?.[1]),
  variable: VARIABLE.exec(expression)?.[1] ?? null
})

const isSomething = ({ port, variable }: Found): boolean => port !== null || variable !== null

/** What is assigned to a name in the file: the first number and the first variable. */
const assigned = ({ text }: Source, name: string): Found => {
  const definition = new RegExp(
    `(?<![\\w$.])${name.replaceAll("$", "\\$")}(?:\\s?:\\s?[\\w<>]{1,40})?\\s{0,9}:?=(?!=)([^\\n]{1,200})`,
    "gu"
  )
  const all = Array.from(text.matchAll(definition)).slice(0, 5).map(({ 0: whole, 1: value = "", index }) => ({
    ...said(value),
    at: { start: index, end: index + whole.length }
  })).filter(isSomething)
  return {
    port: all.find(({ port }) => port !== null)?.port ?? null,
    variable: all.find(({ variable }) => variable !== null)?.variable ?? null,
    ...all[0] === undefined ? {} : { at: all[0].at }
  }
}

/** An expression, or the name of what is defined elsewhere in the file. */
const resolved = (source: Source, expression: string): Found => {
  const found = said(expression)
  if (isSomething(found)) return found
  const name = expression.trim().replace(/^.*[+(&]\s*/u, "").replace(/\){1,9}$/u, "").replace(/\.(?:into|parse|toString)\(?$/u, "")
  return NAME.test(name) ? assigned(source, name) : found
}

/** What the arguments say: a member `port`, an address with a colon, or, of a function that listens, an argument. */
const portIn = (source: Source, call: Call): Found => {
  const { arguments: args } = call
  const all = args.join(", ")
  const named = NAMED.exec(all)?.[1] ?? (SHORTHAND.test(all) ? "port" : undefined)
  if (named !== undefined) return resolved(source, named)
  const address = args.map((one) => ADDRESS.exec(one)).find((one) => one !== null)
  if (address?.[2] !== undefined) return { port: portOf(address[2]), variable: null }
  if (address !== undefined) return resolved(source, args.find((one) => ADDRESS.test(one)) ?? "")
  const plain = args.flatMap((one) => one.startsWith("(") ? one.slice(1, -1).split(",") : [one]).filter((one) =>
    !/=>|^function|^func\b/u.test(one)
  )
  const isListening = LISTENING.test(call.callee)
  return plain.map((one) => isListening || VARIABLE.test(one) ? resolved(source, one) : { port: null, variable: null }).find(isSomething) ??
    { port: null, variable: null }
}

const hostIn = ({ arguments: args }: Call): string | null => {
  const written = HOST.exec(args.join(", "))?.[1] ?? args.map((one) => ADDRESS.exec(one)?.[1]).find((one) => one !== undefined) ??
    args.flatMap((one) => one.startsWith("(") ? one.slice(1).split(",") : [one]).map((one) => literal(one.trim()))
      .find((one) => one !== undefined && /^(?:localhost|[\d.]{7,15}|::1?)$/u.test(one))
  return written === undefined || written === "" ? null : clip(written)
}

/** The call's own words, and not those of a chain before them or of a function behind them. */
const rangeOf = ({ text }: Source, { arguments: [first = ""], end, name, start }: Call): Range => {
  const at = text.indexOf(`${name}(`, start)
  return at === -1 || at >= end ? { start, end } : { start: at, end: Math.min(end, at + name.length + 1 + first.length) }
}

export const listens = (source: Source): ReadonlyArray<AnyFact> =>
  source.callsWith("callee", OPENING).filter(({ decorates }) => !decorates).flatMap((call) => {
    const { at, port, variable } = portIn(source, call)
    if (port === null && variable === null && !(call.name === "listen" && call.arguments.length > 0)) return []
    const value: Listen = { port, variable: variable === null ? null : clip(variable), host: hostIn(call) }
    const own = source.span(rangeOf(source, call))
    return [{ kind: "listen", subject: clip(call.callee, 80), value, evidence: at === undefined ? [own] : [own, source.span(at)] }]
  })
