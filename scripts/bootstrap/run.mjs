/** Child processes: the program itself, and npm. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { Trouble } from "./trouble.mjs"

/** The exit code that a shell gives for a process killed by a signal. */
export const codeOf = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0)

/** The parent of a process, where Linux tells. */
const parentOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return undefined
  }
}

const shell = process.ppid
const npmProcess = parentOf(shell)

/**
 * Calls `gone` when the npm that started us has ended. npm runs a script through a shell, and a shell that is killed tells nobody:
 * without this, `kill` of npm would leave the program running with nobody in charge of it.
 */
const watchNpm = (gone) => {
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npmProcess) return
    clearInterval(timer)
    gone()
  }, 1000)
  timer.unref()
  return () => clearInterval(timer)
}

const SIGNALS = process.platform === "win32" ? ["SIGINT", "SIGTERM"] : ["SIGINT", "SIGTERM", "SIGHUP"]

/**
 * Hands our signals to the child until it ends, and stops it when npm has ended. A terminal sends Ctrl-C to every process of the group, so
 * the child has it already and must not get it twice: many programs take the second for "now, without cleaning up". npm passes on what it
 * gets as well, so the same signal within a second counts once.
 */
export const forward = (child) => {
  const last = new Map()
  const handlers = SIGNALS.map((signal) => {
    const handler = () => {
      const now = performance.now()
      const repeated = now - (last.get(signal) ?? -Infinity) < 1000
      last.set(signal, now)
      if (repeated || (signal === "SIGINT" && process.stdin.isTTY)) return
      child.kill(signal)
    }
    process.on(signal, handler)
    return [signal, handler]
  })
  const stopWatching = watchNpm(() => child.kill("SIGTERM"))
  return () => {
    stopWatching()
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}

/** Runs the program in our place: same terminal, same signals, same exit code. */
export const run = (command, args, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env })
    const stop = forward(child)
    child.once("error", (error) => {
      stop()
      reject(new Trouble(`Cannot run ${command}`, error.message, "Remove the folder .node and start again"))
    })
    child.once("exit", (code, signal) => {
      stop()
      resolve(codeOf(code, signal))
    })
  })

/** Runs npm quietly and returns what it wrote when it failed, or undefined. A signal to us stops it. */
export const npm = (args, cwd) =>
  new Promise((resolve, reject) => {
    // Under `npm run`, npm says where it is. Otherwise it is found on the PATH.
    const path = process.env.npm_execpath
    const known = path !== undefined && /\.[cm]?js$/.test(path)
    const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    const child = spawn(known ? process.execPath : "npm", [...(known ? [path] : []), ...args, ...quiet], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      shell: !known && process.platform === "win32"
    })
    const stop = forward(child)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-20_000)
      })
    }
    child.once("error", (error) => {
      stop()
      reject(new Trouble("Cannot run npm", error.message, "Install npm 9 or newer and start again"))
    })
    child.once("close", (code, signal) => {
      stop()
      if (signal !== null || code > 128 || output.includes("process terminated signal")) {
        reject(new Trouble("Stopped", "the installation was interrupted", "Start again to finish it", codeOf(code, signal)))
      } else resolve(code === 0 ? undefined : reasonOf(output) || `npm ended with code ${code}`)
    })
  })

/** What npm writes around the reason: stack frames, the fields of the error object, where its log is. */
const NOISE =
  /^(at |[{}\]]|(code|errno|syscall|path|address|port|type|network)\b|This is a problem|If you are behind|'proxy' config|A complete log|.*debug-\d+\.log)/

/** The telling lines of npm's error report, as one. */
export const reasonOf = (output) =>
  output
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim())
    .filter((line) => line !== "" && !NOISE.test(line))
    .slice(0, 3)
    .join(" ")
    .replace(/\.+$/, "")
