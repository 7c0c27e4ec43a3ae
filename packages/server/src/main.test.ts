import { assert, describe, it } from "@effect/vitest"
import { makeKey } from "@svc/platform/encryption/keyring"
import { freePorts } from "@svc/testkit/ports"
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { createServer } from "node:http"
import { connect } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"

interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

/** Of this process's environment, the path and Node's compile cache, as npm start has it: without it a start takes twice the time. */
const inherited = Object.fromEntries(
  ["PATH", "NODE_COMPILE_CACHE"].flatMap((name) => process.env[name] === undefined ? [] : [[name, process.env[name]]])
)

const start = (env: Record<string, string>, options: ReadonlyArray<string> = []): Running => {
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
const printsLoaded = `data:text/javascript,${
  encodeURIComponent(`
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    process.on("exit", () => process.stdout.write(loaded.map((url) => "loaded " + url + "\\n").join("")))`)
}`

/** Waits until the process says something, or fails with all it said. */
const says = async ({ child, ended, output }: Running, text: string) => {
  while (!output().includes(text)) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output()}`)
    await Promise.race([new Promise((resolve) => child.stdout?.once("data", resolve)), ended])
  }
}

/** A connection, and what came over it so far. */
const open = (port: number) => {
  const socket = connect(port, "127.0.0.1")
  let text = ""
  socket.on("error", () => {}).on("data", (chunk: Buffer) => {
    text += chunk.toString()
  })
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  /** Waits for these words, or for the end of the connection. */
  const heard = async (words: string) => {
    while (!text.includes(words) && !socket.destroyed) await Promise.race([new Promise((resolve) => socket.once("data", resolve)), closed])
    return text
  }
  return {
    socket,
    heard,
    all: async () => {
      await closed
      return text
    }
  }
}

/** What is wrong with a start, and how its refusal begins. */
const refusals: ReadonlyArray<readonly [what: string, settings: Readonly<Record<string, string>>, message: string]> = [
  ["a wrong setting", { LOG_LEVEL: "loud" }, "LOG_LEVEL is \"loud\""],
  ["one port for both listeners", { API_PORT: "4000", TOOLS_PORT: "4000" }, "API_PORT and TOOLS_PORT are both 4000"],
  ["a public address without keys", { PUBLIC_URL: "https://pay.example" }, "ENCRYPTION_KEYS is not set"],
  [
    "a public address without a key that signs",
    { PUBLIC_URL: "https://pay.example", ENCRYPTION_KEYS: makeKey("2026a") },
    "LEDGER_SIGNING_KEY is not set"
  ]
]

describe("the process", () => {
  let dataDir = ""
  let api = 0
  let tools = 0
  let nobody = 0
  let running: Running
  const spans: Array<string> = []
  /** The last that came of each kind. */
  const sent = new Map<string, string>()
  const collector = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on("end", () => {
      sent.set(request.url ?? "", body)
      if (request.url === "/v1/traces") { for (const [, name] of body.matchAll(/"name":"([^"]+)"/g)) spans.push(name ?? "") }
      response.end("{}")
    })
  })
  const settings = () => ({ DATA_DIR: dataDir, API_PORT: String(api), TOOLS_PORT: String(tools) })

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "svc-main-"))
    ;({ api, tools, nobody } = await Effect.runPromise(freePorts("api", "tools", "nobody")))
    collector.listen(0, "127.0.0.1")
    await once(collector, "listening")
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    running = start({ ...settings(), DRAIN_SECONDS: "6", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    await says(running, "Create a payment")
  }, 180_000)
  afterAll(async () => {
    running.child.kill("SIGTERM")
    await running.ended
    collector.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }, 180_000)

  it("prints a command that works when pasted", async () => {
    const command = /curl -s[\s\S]*?'\n/.exec(running.output().slice(running.output().indexOf("curl -s")) + "\n")?.[0] ?? ""
    const shell = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] })
    let answer = ""
    shell.stdout.on("data", (chunk: Buffer) => {
      answer += chunk.toString()
    })
    await once(shell, "close")
    assert.include(JSON.parse(answer), { state: "created", amount: 1999, currency: "USD" })
  })

  it("keeps the credentials for their owner alone", async () => {
    const file = join(dataDir, "credentials.json")
    const credentials: Record<string, string> = JSON.parse(await readFile(file, "utf8"))
    assert.deepStrictEqual(Object.keys(credentials), ["account_id", "secret_key", "webhook_secret", "base_url", "tools_url"])
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
    const account = await fetch(`${credentials["base_url"]}/v1/account`, {
      headers: { authorization: `Bearer ${credentials["secret_key"]}` }
    })
    assert.include(await account.json(), { id: credentials["account_id"], sandbox: true })
  })

  it("serves its documentation and the health of both halves", async () => {
    for (
      const [port, path, type] of [
        [api, "/docs", "text/html"],
        [api, "/openapi.json", "application/json"],
        [api, "/v1/health", "application/json"],
        [tools, "/v1/health", "application/json"],
        [tools, "/livez", "application/json"],
        [tools, "/readyz", "application/json"]
      ] as const
    ) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      assert.strictEqual(response.status, 200, path)
      assert.include(response.headers.get("content-type"), type)
      assert.isAbove((await response.arrayBuffer()).byteLength, 0)
    }
  })

  it("a second process on the same ports says which, why, and what next", async () => {
    const other = await mkdtemp(join(tmpdir(), "svc-main-"))
    const second = start({ ...settings(), DATA_DIR: other })
    assert.strictEqual(await second.ended, 1)
    const lines = second.output().trim().split("\n").filter((line) => line.startsWith("svc:"))
    assert.strictEqual(lines.length, 1)
    assert.match(
      lines[0] ?? "",
      /Cannot listen on port \d+: another process listens there already\. Stop that process, or set (API|TOOLS)_PORT to a free port\./
    )
    // The ports are checked before a database is made.
    assert.deepStrictEqual(await readdir(other), [])
    await rm(other, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }, 180_000)

  it("an unreachable DATABASE_URL is one clear line", async () => {
    const { API_PORT, TOOLS_PORT } = await Effect.runPromise(freePorts("API_PORT", "TOOLS_PORT"))
    const onFreePorts = { DATA_DIR: dataDir, API_PORT: String(API_PORT), TOOLS_PORT: String(TOOLS_PORT) }
    const lost = start({ ...onFreePorts, DATABASE_URL: `postgres://nobody@127.0.0.1:${nobody}/none` })
    assert.strictEqual(await lost.ended, 1)
    assert.match(lost.output(), /^svc: The database at DATABASE_URL cannot be reached: .+\. Start it, or correct DATABASE_URL/m)
  }, 180_000)

  it.each([
    ["API_PORT", "abc", "a whole number from 1 to 65535. Correct it, or leave it unset for 4000."],
    ["TOOLS_PORT", "70000", "a whole number from 1 to 65535. Correct it, or leave it unset for 4001."],
    ["DRAIN_SECONDS", "soon", "a whole number from 0 to 600. Correct it, or leave it unset for 5 with a PUBLIC_URL, else 0."],
    ["RATE_LIMIT_BURST", "0", "a whole number from 1 to 1000000. Correct it, or leave it unset for 200."],
    [
      "WEBHOOK_URL",
      "localhost:4242",
      "an address that begins with http:// or https://. Correct it, or leave it unset for http://127.0.0.1:4242/webhooks."
    ],
    [
      "WEBHOOK_URL",
      "ftp://x",
      "an address that begins with http:// or https://. Correct it, or leave it unset for http://127.0.0.1:4242/webhooks."
    ],
    [
      "EGRESS_ALLOW",
      "a b",
      "none, or host names, addresses and networks separated by commas, such as localhost:4242,10.0.0.0/8. Correct it, or leave it unset for this machine."
    ],
    ["LOG_LEVEL", "loud", "one of Fatal, Error, Warn, Info, Debug, Trace. Correct it, or leave it unset for Info."]
  ])("%s=%s is one clear line", async (variable, value, allowed) => {
    const refused = start({ ...settings(), [variable]: value })
    assert.strictEqual(await refused.ended, 1)
    assert.strictEqual(refused.output(), `svc: ${variable} is "${value}", and must be ${allowed}\n`)
  }, 180_000)

  it.each(refusals)("%s is refused before the services are loaded", async (_what, wrong, message) => {
    const refused = start({ ...settings(), ...wrong }, ["--import", printsLoaded])
    assert.strictEqual(await refused.ended, 1)
    assert.include(refused.output(), `svc: ${message}`)
    const ofService = /^loaded file:.*\/packages\/([a-z-]+\/src\/.+\.ts)$/gmu
    const loaded = Array.from(refused.output().matchAll(ofService), ([, file = ""]) => file)
    assert.includeMembers(loaded, ["server/src/main.ts", "server/src/config.ts"])
    assert.deepStrictEqual(loaded.filter((file) => /(?:service|layer|repository|services|routes)\.ts$/u.test(file)), [])
  }, 180_000)

  it("one port for both listeners is one clear line", async () => {
    const refused = start({ ...settings(), TOOLS_PORT: String(api) })
    assert.strictEqual(await refused.ended, 1)
    assert.strictEqual(refused.output(), `svc: API_PORT and TOOLS_PORT are both ${api}. Give each of them a port of its own.\n`)
  }, 180_000)

  it("a HOST that this machine does not have is one clear line that names it", async () => {
    const refused = start({ ...settings(), HOST: "192.0.2.1", API_PORT: String(nobody) })
    assert.strictEqual(await refused.ended, 1)
    assert.strictEqual(
      refused.output(),
      "svc: Cannot listen at HOST 192.0.2.1: this machine has no such address. Set HOST to one that it has, or leave it unset for all of them.\n"
    )
  }, 180_000)

  it("a REDIS_URL where nothing answers is one clear line", async () => {
    const other = await mkdtemp(join(tmpdir(), "svc-main-"))
    const { api: API_PORT, tools: TOOLS_PORT } = await Effect.runPromise(freePorts("api", "tools"))
    const refused = start({
      DATA_DIR: other,
      API_PORT: String(API_PORT),
      TOOLS_PORT: String(TOOLS_PORT),
      REDIS_URL: `redis://127.0.0.1:${nobody}`
    })
    assert.strictEqual(await refused.ended, 1)
    assert.match(refused.output(), /^svc: REDIS_URL cannot be reached: .*ECONNREFUSED.*\. Start that Redis, or leave it unset/m)
    // Redis is asked before a database is made.
    assert.deepStrictEqual(await readdir(other), [])
    await rm(other, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }, 180_000)

  it("SIGTERM: load balancers are told first, what is under way is answered, idle connections are closed, the exit code is 0", async () => {
    const { secret_key }: Record<string, string> = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"))
    const [busy, idle] = [open(api), open(api)]
    idle.socket.write("GET /livez HTTP/1.1\r\nHost: svc.test\r\n\r\n")
    assert.match(await idle.heard("{\"status\":\"ok\"}"), /^connection: keep-alive\r$/im)
    const body = JSON.stringify({ amount: 2999, currency: "USD", idempotency_key: "while-stopping" })
    busy.socket.write([
      "POST /v1/payment_intents HTTP/1.1",
      "Host: svc.test",
      `Authorization: Bearer ${secret_key}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
      "",
      ""
    ].join("\r\n"))
    // It is under way: the server asks for the body.
    assert.strictEqual(await busy.heard("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n")

    running.child.kill("SIGTERM")
    const statusOf = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    while (await statusOf(api, "/readyz") === 200);
    assert.deepStrictEqual(
      [await statusOf(api, "/readyz"), await statusOf(tools, "/readyz"), await statusOf(api, "/livez"), await statusOf(api, "/v1/health")],
      [503, 503, 200, 200]
    )
    await idle.all()
    assert.strictEqual(await open(api).all(), "")
    busy.socket.write(body)
    const answer = await busy.all()
    assert.match(answer, /\r\n\r\nHTTP\/1\.1 201 /)
    assert.match(answer, /^connection: close\r$/im)
    assert.include(JSON.parse(answer.slice(answer.lastIndexOf("\r\n\r\n"))), { amount: 2999, state: "created" })
    assert.strictEqual(await running.ended, 0)
  }, 180_000)

  it("what was committed before it stopped is there after the next start", async () => {
    assert.isTrue(
      spans.includes("PaymentIntents.create"),
      `spans named after the service methods, got ${Array.from(new Set(spans)).join(", ")}`
    )
    const resource = sent.get("/v1/traces") ?? ""
    assert.match(resource, /"service\.version","value":\{"stringValue":"\d+\.\d+\.\d+"/)
    assert.match(resource, /"service\.instance\.id","value":\{"stringValue":"[0-9a-f-]{36}"/)
    for (const metric of ["svc_http_request_duration_seconds", "svc_payments", "svc_timers_overdue", "svc_webhook_queue"]) {
      assert.include(sent.get("/v1/metrics"), `"${metric}"`)
    }
    running = start(settings())
    await says(running, "Create a payment")
    const { secret_key }: Record<string, string> = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"))
    const list = await fetch(`http://127.0.0.1:${api}/v1/payment_intents`, { headers: { authorization: `Bearer ${secret_key}` } })
    const { data }: { readonly data: ReadonlyArray<{ readonly amount: number }> } = await list.json()
    assert.deepStrictEqual(data.map(({ amount }) => amount), [2999, 1999])
  }, 180_000)

  // Windows has no such signals.
  it.skipIf(process.platform === "win32")("SIGTERM while the database hangs: it ends after half a minute and says so", async () => {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n").map((line) =>
      line.trim().split(/\s+/)
    )
    const below = (parent: number): ReadonlyArray<number> =>
      lines.filter(([, of]) => Number(of) === parent).flatMap((
        [pid, , ...command]
      ) => [...(command.join(" ").includes("postgres") ? [Number(pid)] : []), ...below(Number(pid))])
    const frozen = below(running.child.pid ?? 0)
    assert.isAbove(frozen.length, 1)
    try {
      for (const pid of frozen) process.kill(pid, "SIGSTOP")
      running.child.kill("SIGTERM")
      assert.strictEqual(await running.ended, 1)
      assert.match(
        running.output(),
        /^svc: It was told to stop 30 s ago and still waits, most likely for a database that does not answer\./m
      )
    } finally {
      for (const pid of frozen) process.kill(pid, "SIGKILL")
    }
  }, 180_000)
})
