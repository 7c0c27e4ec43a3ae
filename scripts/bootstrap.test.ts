import { assert, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach } from "vitest"

/**
 * Stands in for npm: installs what package-lock.json lists as empty packages, `ci` in the place of all that was there, and counts its runs.
 */
const NPM = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
appendFileSync("npm-runs.txt", process.argv.slice(2).join(" ") + "\\n")
if (existsSync("npm-fails")) {
  console.error("npm error code E500\\nnpm error registry is down\\nnpm error     at Object.frame (file.js:1:1)\\nnpm error A complete log of this run can be found in: x")
  process.exit(1)
}
const production = process.argv.includes("--omit=dev")
if (process.argv[2] === "ci") rmSync("node_modules", { recursive: true, force: true })
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"))
const here = Object.fromEntries(Object.entries(packages).filter(([path, entry]) => path !== "" && entry.optional !== true && !(production && entry.dev)))
if (existsSync("npm-takes-another")) here["node_modules/tester"].version = "9.9.9"
for (const path of Object.keys(here)) {
  mkdirSync(path, { recursive: true })
  writeFileSync(path + "/package.json", "{}")
}
if (existsSync("npm-slow")) await new Promise((resolve) => setTimeout(resolve, 1500))
if (!existsSync("npm-disk-full")) writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: here }))
`

const PROGRAM = `
const [what, value]: ReadonlyArray<string> = process.argv.slice(2)
if (what === "exit") process.exit(Number(value))
if (what === "die") process.kill(process.pid, "SIGKILL")
if (what === "options") console.log(process.execArgv.join(" "))
if (what === "wait") {
  let signals = 0
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {
    console.log(name)
    if (signals++ === 0) setTimeout(() => process.exit(7), 300)
  })
  setInterval(() => {}, 1000)
}
console.log("ran", what)
`

const folders: Array<string> = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const lock = (version: string) =>
  JSON.stringify({
    packages: {
      "": {},
      "node_modules/a": { version, integrity: `hash-${version}` },
      "node_modules/tester": { version: "1.0.0", integrity: "hash-tester", dev: true },
      "node_modules/other-system": { version: "1.0.0", optional: true, os: ["none"], cpu: ["none"] }
    }
  })

/** A checkout with one program and a lock file of one package. */
const makeCheckout = () => {
  const root = mkdtempSync(join(tmpdir(), "svc-bootstrap-"))
  folders.push(root)
  mkdirSync(join(root, "scripts"))
  cpSync(join(import.meta.dirname, "bootstrap.mjs"), join(root, "scripts", "bootstrap.mjs"))
  cpSync(join(import.meta.dirname, "bootstrap"), join(root, "scripts", "bootstrap"), { recursive: true })
  writeFileSync(join(root, "package.json"), "{ \"type\": \"module\" }")
  writeFileSync(join(root, "package-lock.json"), lock("1.0.0"))
  writeFileSync(join(root, "npm.mjs"), NPM)
  writeFileSync(join(root, "program.ts"), PROGRAM)
  return root
}

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const start = (root: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}, program = "program.ts") => {
  const child = spawn(process.execPath, [join(root, "scripts", "bootstrap.mjs"), program, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, npm_execpath: join(root, "npm.mjs"), npm_lifecycle_event: undefined, ...env }
  })
  let out = ""
  let err = ""
  child.stdout.on("data", (chunk) => (out += String(chunk)))
  child.stderr.on("data", (chunk) => (err += String(chunk)))
  const outcome = new Promise<Outcome>((resolve) => child.once("close", (code) => resolve({ code, out, err })))
  return { child, outcome, says: (text: string) => saysSo(child, () => out, text) }
}

const saysSo = (child: ChildProcess, out: () => string, text: string) =>
  new Promise<void>((resolve, reject) => {
    const look = () => {
      if (out().includes(text)) resolve()
    }
    look()
    child.stdout?.on("data", look)
    child.once("close", () => reject(new Error(`ended without saying ${text}`)))
  })

const run = (root: string, ...args: ReadonlyArray<string>) => start(root, args).outcome

const npmRuns = (root: string): ReadonlyArray<string> =>
  existsSync(join(root, "npm-runs.txt")) ? readFileSync(join(root, "npm-runs.txt"), "utf8").trim().split("\n") : []

const installations = (root: string): number => npmRuns(root).length

describe("the packages", () => {
  it("are installed once, without install scripts, and then no more", async () => {
    const root = makeCheckout()
    const first = await run(root, "first")
    assert.deepStrictEqual([first.code, first.out], [0, "ran first\n"])
    assert.strictEqual(first.err, "svc: installing the packages of package-lock.json (npm ci), once\n")
    assert.deepStrictEqual(await run(root, "second"), { code: 0, out: "ran second\n", err: "" })
    assert.match(readFileSync(join(root, "npm-runs.txt"), "utf8"), /^ci --ignore-scripts [^\n]*\n$/)
  })

  const repairs: ReadonlyArray<readonly [string, (root: string) => void]> = [
    ["the lock file has changed", (root) => writeFileSync(join(root, "package-lock.json"), lock("2.0.0"))],
    ["node_modules was removed", (root) => rmSync(join(root, "node_modules"), { recursive: true })],
    ["a package is missing", (root) => rmSync(join(root, "node_modules", "a"), { recursive: true })],
    ["an installation was cut short", (root) => {
      rmSync(join(root, "node_modules", ".svc-installed.json"))
      rmSync(join(root, "node_modules", ".package-lock.json"))
    }]
  ]
  it.each(repairs)("are installed again when %s", async (_, damage) => {
    const root = makeCheckout()
    await run(root, "x")
    damage(root)
    assert.strictEqual((await run(root, "again")).out, "ran again\n")
    assert.strictEqual(installations(root), 2)
    await run(root, "x")
    assert.strictEqual(installations(root), 2)
  })

  it("are taken as they are when somebody ran npm ci by hand", async () => {
    const root = makeCheckout()
    await run(root, "x")
    rmSync(join(root, "node_modules", ".svc-installed.json"))
    assert.deepStrictEqual(await run(root, "again"), { code: 0, out: "ran again\n", err: "" })
    assert.strictEqual(installations(root), 1)
  })

  it("are installed by one of two that start together, and the other waits", async () => {
    const root = makeCheckout()
    writeFileSync(join(root, "npm-slow"), "")
    const outcomes = await Promise.all([run(root, "one"), run(root, "two")])
    assert.deepStrictEqual(outcomes.map(({ code }) => code), [0, 0])
    assert.deepStrictEqual(outcomes.map(({ out }) => out), ["ran one\n", "ran two\n"])
    assert.strictEqual(installations(root), 1)
  })

  it("are installed in spite of a lock whose holder is gone", async () => {
    const root = makeCheckout()
    const gone = spawn(process.execPath, ["-e", ""])
    await new Promise((resolve) => gone.once("close", resolve))
    mkdirSync(join(root, ".node", "lock"), { recursive: true })
    writeFileSync(join(root, ".node", "lock", "pid"), String(gone.pid))
    assert.strictEqual((await run(root, "x")).out, "ran x\n")
  })

  it.each([
    ["npm fails", "npm-fails", /^svc: Cannot install the packages: registry is down\. Check [^\n]*\.\n$/],
    [
      "the disk is full, which npm may not notice",
      "npm-disk-full",
      /^svc: Cannot install the packages: npm ended without finishing[^\n]*\n$/
    ]
  ])("leave one clear line and no program when %s", async (_, fault, line) => {
    const root = makeCheckout()
    writeFileSync(join(root, fault), "")
    const { code, err, out } = await run(root, "x")
    assert.deepStrictEqual([code, out], [1, ""])
    assert.match(err.slice(err.indexOf("\n") + 1), line)
    rmSync(join(root, fault))
    assert.strictEqual((await run(root, "x")).code, 0)
  })
})

describe("a server", () => {
  const SERVER = "packages/server/src/main.ts"

  const makeServer = () => {
    const root = makeCheckout()
    mkdirSync(join(root, dirname(SERVER)), { recursive: true })
    writeFileSync(join(root, SERVER), PROGRAM)
    return { root, serve: (...args: ReadonlyArray<string>) => start(root, args, {}, SERVER) }
  }

  it.each([SERVER, "packages/cli/src/main.ts"])("is installed without development packages (%s)", async (program) => {
    const root = makeCheckout()
    mkdirSync(join(root, dirname(program)), { recursive: true })
    writeFileSync(join(root, program), PROGRAM)
    const { code, err } = await start(root, ["x"], {}, program).outcome
    assert.deepStrictEqual([code, err], [0, "svc: installing the production packages of package-lock.json (npm ci), once\n"])
    assert.deepStrictEqual([existsSync(join(root, "node_modules", "a")), existsSync(join(root, "node_modules", "tester"))], [true, false])
    assert.strictEqual((await start(root, ["x"], {}, program).outcome).err, "")
    assert.strictEqual(installations(root), 1)
  })

  it("keeps its packages as they are while a command adds those of development", async () => {
    const { root, serve } = makeServer()
    const server = serve("wait")
    await server.says("ran wait")
    const before = statSync(join(root, "node_modules", "a", "package.json"))
    // The stand-in for npm ci would remove it.
    writeFileSync(join(root, "node_modules", "a", "loaded-later.js"), "")
    const { code, err } = await run(root, "test")
    assert.deepStrictEqual([code, err], [0, "svc: adding the development packages of package-lock.json (npm install), once\n"])
    assert.isTrue(existsSync(join(root, "node_modules", "tester")))
    assert.isTrue(existsSync(join(root, "node_modules", "a", "loaded-later.js")))
    assert.strictEqual(statSync(join(root, "node_modules", "a", "package.json")).ino, before.ino)
    server.child.kill("SIGTERM")
    await server.outcome
    for (const program of [SERVER, "program.ts"]) assert.strictEqual((await start(root, ["x"], {}, program).outcome).err, "")
    assert.deepStrictEqual(
      npmRuns(root).map((line) =>
        line.split(" ").filter((word) => /^(ci|install|--no-save|--omit=dev|--include=dev|--ignore-scripts)$/.test(word))
      ),
      [
        ["ci", "--ignore-scripts", "--omit=dev"],
        ["install", "--no-save", "--ignore-scripts", "--include=dev"]
      ]
    )
  })

  it("needs nothing more where all packages are", async () => {
    const { root, serve } = makeServer()
    await run(root, "x")
    assert.deepStrictEqual(await serve("x").outcome, { code: 0, out: "ran x\n", err: "" })
    assert.strictEqual(installations(root), 1)
  })

  it("is taken as it is where somebody ran npm ci --omit=dev by hand", async () => {
    const { root, serve } = makeServer()
    await serve("x").outcome
    rmSync(join(root, "node_modules", ".svc-installed.json"))
    assert.strictEqual((await serve("x").outcome).err, "")
    assert.strictEqual(installations(root), 1)
  })

  it("is no reason to take development packages that the lock file does not name", async () => {
    const { root, serve } = makeServer()
    await serve("x").outcome
    writeFileSync(join(root, "npm-takes-another"), "")
    const { code, err } = await run(root, "test")
    assert.strictEqual(code, 1)
    assert.match(
      err,
      /\nsvc: Cannot install the packages: package\.json and package-lock\.json are not in sync, [^\n]*\. Run npm install and commit package-lock\.json\.\n$/
    )
    assert.strictEqual((await serve("x").outcome).code, 0)
  })
})

describe("the program", () => {
  it("gets its arguments, and its exit code is ours", async () => {
    const root = makeCheckout()
    assert.strictEqual((await run(root, "exit", "42")).code, 42)
    assert.strictEqual((await run(root, "die")).code, 128 + 9)
  })

  it.each([
    ["packages/server/src/main.ts", "options", "", /^--disable-sigusr1 --max-old-space-size=1024 --max-semi-space-size=16 /],
    [
      "packages/server/src/main.ts",
      "options",
      "--max-old-space-size=2048 --trace-warnings",
      /^--disable-sigusr1 --max-semi-space-size=16 /
    ],
    ["packages/server/src/main.ts", "options", "--max_old_space_size=2048", /^--disable-sigusr1 --max-semi-space-size=16 /],
    ["packages/cli/src/main.ts", "serve", "", /^--disable-sigusr1 --max-old-space-size=1024 --max-semi-space-size=16 /],
    ["packages/cli/src/main.ts", "options", "", /^$/]
  ])(
    "%s %s, with NODE_OPTIONS=%j, gets the options it needs and the operator did not set",
    async (program, command, NODE_OPTIONS, expected) => {
      const root = makeCheckout()
      mkdirSync(join(root, dirname(program)), { recursive: true })
      writeFileSync(join(root, program), PROGRAM.replace("what === \"options\"", "true"))
      const { code, out } = await start(root, [command], { NODE_OPTIONS }, program).outcome
      assert.strictEqual(code, 0)
      assert.match((out.split("\n")[0] ?? "").replace("--disable-warning=ExperimentalWarning", "").trim(), expected)
    }
  )

  it.each(["SIGINT", "SIGTERM"] as const)("gets %s once, however often it comes, and may take its time", async (signal) => {
    const root = makeCheckout()
    const { child, outcome, says } = start(root, ["wait"])
    await says("ran wait")
    child.kill(signal)
    child.kill(signal)
    await says(signal)
    child.kill(signal)
    const { code, out } = await outcome
    assert.deepStrictEqual([code, out], [7, `ran wait\n${signal}\n`])
  })

  it("is told to stop when the shell that npm started for us is killed", async () => {
    const root = makeCheckout()
    await run(root, "x")
    const shell = spawn("/bin/sh", ["-c", `"${process.execPath}" scripts/bootstrap.mjs program.ts wait; exit $?`], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, npm_lifecycle_event: "start" }
    })
    let out = ""
    shell.stdout.on("data", (chunk) => (out += String(chunk)))
    await saysSo(shell, () => out, "ran wait")
    shell.kill("SIGKILL")
    // The pipe closes when the last process that holds it has ended.
    await new Promise((resolve) => shell.stdout.once("close", resolve))
    assert.strictEqual(out, "ran wait\nSIGTERM\n")
  })
})
