import { assert, describe, it } from "@effect/vitest"
import { freePorts } from "@svc/testkit/ports"
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { createServer } from "node:http"
import { connect } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { loadedBy, printsLoaded, type Running, start } from "./process.fixture.ts"

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

describe("the process", () => {
  let dataDir = ""
  let api = 0
  let tools = 0
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
    ;({ api, tools } = await Effect.runPromise(freePorts("api", "tools")))
    collector.listen(0, "127.0.0.1")
    await once(collector, "listening")
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    running = start({ ...settings(), DRAIN_SECONDS: "6", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, printsLoaded)
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

  it("has loaded neither what makes artifacts of repositories nor what speaks to mail servers", () => {
    const loaded = loadedBy(running)
    assert.include(loaded, "packages/server/src/application.ts")
    const late = /^packages\/programs\/src\/running\.ts$|^node_modules\/(?:enhanced-resolve|nodemailer|web-tree-sitter|yaml)\//u
    assert.deepStrictEqual(loaded.filter((file) => late.test(file)), [])
  })

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
