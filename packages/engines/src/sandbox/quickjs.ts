/** JavaScript in QuickJS, which is WebAssembly: foreign code reaches this process by two functions only, one to print and one to read. */
import type { EngineFunction } from "@svc/confined/model"
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten-core"

const STACK = 512 * 1024

/** `console`, as far as it prints. Values are shown as JSON, text as itself. */
const CONSOLE = `(print, stdin) => {
  const shown = (value) => typeof value === "string" ? value : typeof value === "object" && value !== null && !(value instanceof Error)
    ? JSON.stringify(value) : String(value)
  const printer = (stream) => (...values) => print(stream, values.map(shown).join(" ") + "\\n")
  const out = printer(1), error = printer(2)
  globalThis.console = { log: out, info: out, debug: out, warn: error, error }
  globalThis.print = out
  globalThis.stdin = stdin
}`

const module = await newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"))

/** What an uncaught error prints. */
const shownError = (context: QuickJSContext, handle: QuickJSHandle): string => {
  const error: unknown = context.dump(handle)
  if (typeof error !== "object" || error === null) return `Uncaught ${String(error)}\n`
  const { message = "", name = "Error", stack = "" } = error as { readonly [key: string]: unknown }
  return `${String(name)}: ${String(message)}\n${String(stack)}`
}

export const engine: EngineFunction = (bytes, options) => {
  const { memory, output, seconds, stdin } = options as { memory: number; output: number; seconds: number; stdin: string }
  const runtime = module.newRuntime()
  const context = runtime.newContext()
  const deadline = performance.now() + seconds * 1000
  const printed = { 1: "", 2: "" }
  let reason: "exit" | "timeout" | "output" = "exit"
  runtime.setMemoryLimit(memory)
  runtime.setMaxStackSize(STACK)
  runtime.setInterruptHandler(() => {
    if (reason === "exit" && performance.now() > deadline) reason = "timeout"
    return reason !== "exit"
  })
  const print = context.newFunction("print", (stream, text) => {
    const to = context.getNumber(stream) === 1 ? 1 : 2
    printed[to] += context.getString(text)
    if (printed[to].length > output) reason = "output"
  })
  const prelude = context.unwrapResult(context.evalCode(CONSOLE))
  context.unwrapResult(context.callFunction(prelude, context.undefined, print, context.newString(stdin))).dispose()
  const result = context.evalCode(Buffer.from(bytes).toString(), "code.js")
  let failure = result.error === undefined ? undefined : shownError(context, result.error)
  // A job may add another: all run until none is left, one fails, or the interrupt handler ends them.
  const jobs = failure === undefined ? runtime.executePendingJobs() : undefined
  if (jobs?.error !== undefined) failure = shownError(jobs.error.context, jobs.error)
  // The process is for this run alone, so nothing is given back to the runtime.
  return {
    reason,
    exit_code: reason === "exit" ? failure === undefined ? 0 : 1 : null,
    stdout: printed[1].slice(0, output),
    stderr: (printed[2] + (reason === "exit" ? failure ?? "" : "")).slice(0, output)
  }
}
