/**
 * `node packages/testkit/src/upgrade/make-dump.ts <commit>`: keeps the data of a landed state for `upgrade.test.ts`. Checks the commit out
 * beside the repository, installs its packages, runs its server on a Postgres of its own, plays `scenario.ts`, and writes two files to
 * `dumps/`.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { iso, realNow } from "@svc/kernel/values/time"
import { Effect, Schema } from "effect"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync } from "node:zlib"
import { freePorts } from "../ports.ts"
import { ENCRYPTION_KEYS } from "../process.ts"
import { type DumpedMerchant, type DumpFacts, DUMPS, NOTE } from "./dump.ts"
import { startCluster, startServer } from "./old-server.ts"
import { makeRecorder, objectOf, play } from "./scenario.ts"

const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url))
/** Longer than the first tries of the webhooks of the scenario. */
const WEBHOOKS_MS = 3_000

const Credentials = Schema.decodeUnknownSync(
  fromJsonText(Schema.Struct({ account_id: Schema.String, secret_key: Schema.String, webhook_secret: Schema.String }))
)

/** `acct_…  name  sandbox`, and the key in the next line. */
const opened = (lines: string): DumpedMerchant => {
  const [account_id, secret_key] = [/acct_\w+/u.exec(lines)?.[0], /sk_\w+/u.exec(lines)?.[0]]
  if (account_id === undefined || secret_key === undefined) {
    throw new Error(`"svc accounts create" of that commit printed no account and key: ${lines}`)
  }
  return { account_id, secret_key }
}

/** Runs the scenario against the server of a worktree, and returns its facts. */
const record = async (
  worktree: string,
  commit: string,
  databaseUrl: string,
  ports: { readonly api: number; readonly tools: number }
): Promise<DumpFacts> => {
  const receiver = createServer((request, response) => void request.resume().once("end", () => response.end())).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const WEBHOOK_URL = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`
  const server = await startServer(worktree, ports, { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS, WEBHOOK_URL })
  try {
    const { webhook_secret, ...merchant } = Credentials(server.credentials)
    const clocked = opened(server.svc("accounts", "create", "Clocked"))
    const { paths } = objectOf(await (await fetch(`${server.api}/openapi.json`)).text())
    const recorder = makeRecorder({ ...server, paths: new Set(Object.keys(Object(paths))) })
    await play(recorder, merchant, clocked)
    await new Promise((resolve) => setTimeout(resolve, WEBHOOKS_MS))
    return {
      note: NOTE,
      commit,
      taken_at: iso(Effect.runSync(realNow)),
      encryption_keys: ENCRYPTION_KEYS,
      webhook_secret,
      merchant,
      clocked,
      exchanges: recorder.exchanges
    }
  } finally {
    await server.stop()
    receiver.closeAllConnections()
    receiver.close()
  }
}

const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: REPOSITORY, encoding: "utf8" }).trim()

/** A folder with the commit's files and packages; a worktree that is there already may be named instead. */
const checkOut = (commit: string, existing: string | undefined) => {
  if (existing !== undefined) return { worktree: existing, remove: () => {} }
  const worktree = join(mkdtempSync(join(tmpdir(), "svc-state-")), commit)
  git("worktree", "add", "--detach", worktree, commit)
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: worktree, stdio: "inherit" })
  return {
    worktree,
    remove: () => {
      git("worktree", "remove", "--force", worktree)
      rmSync(join(worktree, ".."), { recursive: true, force: true })
    }
  }
}

const [given, existing] = process.argv.slice(2)
if (given === undefined) {
  throw new Error("Name the commit whose data is to be kept: node packages/testkit/src/upgrade/make-dump.ts <commit>")
}
const commit = git("rev-parse", "--short=7", given)
const { worktree, remove } = checkOut(commit, existing)
try {
  const { database, ...ports } = await Effect.runPromise(freePorts("database", "api", "tools"))
  const cluster = startCluster(database)
  try {
    const facts = await record(worktree, commit, cluster.url, ports)
    const [sql, json] = [brotliCompressSync(`-- ${NOTE}\n${cluster.dump()}`), brotliCompressSync(JSON.stringify(facts))]
    writeFileSync(new URL(`${commit}.sql.br`, DUMPS), sql)
    writeFileSync(new URL(`${commit}.json.br`, DUMPS), json)
    process.stdout.write(`${commit}: ${facts.exchanges.length} requests; compressed SQL of ${sql.length} bytes, facts of ${json.length}\n`)
  } finally {
    cluster.stop()
  }
} finally {
  remove()
}
