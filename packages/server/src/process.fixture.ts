/** The service as a process of its own, for tests of its start and its end. */
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"

export interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

/** Of this process's environment, the path and Node's compile cache, as npm start has it: without it a start takes twice the time. */
const inherited = Object.fromEntries(
  ["PATH", "NODE_COMPILE_CACHE"].flatMap((name) => process.env[name] === undefined ? [] : [[name, process.env[name]]])
)

export const start = (env: Record<string, string>, options: ReadonlyArray<string> = []): Running => {
  const child = spawn(process.execPath, [...options, new URL("main.ts", import.meta.url).pathname], {
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString()
  })
  return { child, output: () => output, ended: once(child, "close").then(([code]) => typeof code === "number" ? code : null) }
}

/** Preloaded in a process: at its end it prints the modules that were loaded, one a line. */
export const printsLoaded: ReadonlyArray<string> = [
  "--import",
  `data:text/javascript,${
    encodeURIComponent(`
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    process.on("exit", () => process.stdout.write(loaded.map((url) => "loaded " + url + "\\n").join("")))`)
  }`
]

/** What a process loaded that was started with `printsLoaded` and has ended: paths of this repository. */
export const loadedBy = ({ output }: Running): Array<string> =>
  Array.from(output().matchAll(/^loaded file:.*?\/((?:packages|node_modules)\/.+)$/gmu), ([, file = ""]) => file)
