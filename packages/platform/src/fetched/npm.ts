/** `npm ci` in a folder that has a lock file. */
import { Effect, Stream } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"

/** No script of a package runs. What a package has for other platforms only is left out by npm itself. */
const ARGS = ["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]

/** What npm needs to find a registry, and no secret of the service. */
const OF_NPM =
  /^(?:PATH|HOME|TMPDIR|TEMP|USERPROFILE|APPDATA|SystemRoot|(?:https?|no)_proxy|npm_config_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_.*)$/iu

const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_NPM.test(name)))

/** Under `npm run`, npm says where it is. Otherwise it is found on the PATH. */
const npm = (): readonly [path: string, ...args: ReadonlyArray<string>] => {
  const path = process.env["npm_execpath"] ?? ""
  return /\.[cm]?js$/u.test(path) ? [process.execPath, path] : ["npm"]
}

/** How much of npm's report tells why it failed. */
const LINES = 2

const reasonIn = (report: string): string =>
  report.split("\n").map((line) => line.replace(/^npm (?:error|ERR!) ?/u, "").trim())
    .filter((line) => line !== "" && !/^(?:code|errno|syscall|A complete log|at )/u.test(line))
    .slice(0, LINES).join(" ").replace(/\.$/u, "")

/** Undefined when everything is installed, else why it is not. */
export const installIn = (spawner: ChildProcessSpawner.ChildProcessSpawner["Service"], folder: string) =>
  Effect.gen(function*() {
    const [path, ...args] = npm()
    const child = yield* spawner.spawn(ChildProcess.make(path, [...args, ...ARGS], {
      cwd: folder,
      env: environment(),
      extendEnv: false,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe"
    }))
    const [code, report] = yield* Effect.all([child.exitCode, Stream.mkString(Stream.decodeText(child.stderr))], { concurrency: 2 })
    return code === 0 ? undefined : reasonIn(report) || `npm ended with code ${code}`
  }).pipe(
    Effect.scoped,
    Effect.catchTag("PlatformError", ({ message }) => Effect.succeed(`npm does not run (${message})`))
  )
