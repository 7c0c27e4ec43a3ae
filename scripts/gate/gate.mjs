/**
 * All checks, all tests, and once more, one after another with nothing beside them, the files with failures: who passes then is unstable,
 * named and counted as passed. docs/decisions/0093-a-second-try.md gives the reasons.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { filesToRepeat, summaryOf } from "./summary.mjs"

/** Enough for the output of all checks; of the tests, what they said last. */
const KEPT = 2_000_000

const runCommand = ([program, ...args], folder, show, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32"
    })
    let output = ""
    const streams = [[child.stdout, process.stdout], [child.stderr, process.stderr]]
    for (const [from, to] of streams) {
      from.setEncoding("utf8")
      from.on("data", (text) => {
        if (show) to.write(text)
        output = (output + text).slice(-KEPT)
      })
    }
    child.once("error", (error) => resolve({ code: 127, output: `${program}: ${error.message}` }))
    child.once("close", (code, signal) => resolve({ code: code ?? 1, output: signal === null ? output : `${output}\nended by ${signal}` }))
  })

const readReport = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

const runTests = async (command, folder, show, path) => {
  const ended = await runCommand(command, folder, show, { TEST_REPORT: path })
  return { ...ended, report: readReport(path) }
}

export const gate = async (folder, { checks, tests }, show = true) => {
  const reports = mkdtempSync(join(tmpdir(), "svc-gate-"))
  try {
    const checked = await runCommand(checks, folder, show)
    const first = await runTests(tests(), folder, show, join(reports, "tests.json"))
    const again = new Map()
    for (const file of filesToRepeat(first)) {
      if (show) console.log(`\nonce more, alone: ${file}`)
      again.set(file, await runTests(tests(file), folder, show, join(reports, `again-${again.size}.json`)))
    }
    return { ...summaryOf(first, again, checked), again }
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}
