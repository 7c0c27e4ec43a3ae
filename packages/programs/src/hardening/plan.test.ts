/** What is found in agents that were planted for it, and not in agents that do it right; and what the patches change. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { planOf, type SecretPlace } from "./plan.ts"
import { type RuleId, rules, sources } from "./rules.ts"

type Texts = Readonly<Record<string, string>>

const hardened = (texts: Texts, secrets: ReadonlyArray<SecretPlace> = []) =>
  planOf(Object.entries(texts).map(([path, text]) => ({ path, text, isShown: true })), secrets)

const linesOf = async (texts: Texts, rule: RuleId) =>
  (await hardened(texts)).plan.filter((item) => item.rule === rule).map(({ line, path }) => `${path}:${line}`)

const openai = `import OpenAI from "openai"\nconst client = new OpenAI({ timeout: 1000 })\n`
const ask = (body: string) => `${openai}export async function run(question) {\n${body}\n}\n`
const completion = "await client.chat.completions.create({ model: \"m\", max_completion_tokens: 9, messages: [] })"
const python = `from openai import OpenAI\nclient = OpenAI(timeout=9)\n`
const pythonAsk = (body: string) => `${python}def run(question):\n${body}\n`
const pythonCompletion = `client.chat.completions.create(model="m", max_completion_tokens=9, messages=[])`
const server = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"\nimport { execSync } from "node:child_process"\n` +
  `import { readFile } from "node:fs/promises"\nimport { z } from "zod"\nconst server = new McpServer({ name: "s", version: "1" })\n`
const tool = (body: string) => `${server}server.tool("run", { it: z.string() }, async ({ it }) => {\n${body}\n})\n`

type Case = readonly [rule: RuleId, broken: Texts, places: ReadonlyArray<string>, right: Texts]

const CASES: ReadonlyArray<Case> = [
  [
    "output-executed",
    {
      "a.js": ask(`  const answer = ${completion}\n  const code = answer.choices[0].message.content\n  return eval(code)`),
      "b.py": pythonAsk(`    reply = ${pythonCompletion}\n    exec(reply.choices[0].message.content)`)
    },
    ["a.js:6", "b.py:5"],
    {
      "a.js": ask(`  const answer = ${completion}\n  const code = answer.choices[0].message.content\n  eval("1")\n  return /a/.exec(code)`)
    }
  ],
  [
    "untrusted-system-prompt",
    {
      "a.js": ask(
        "  return client.chat.completions.create({ max_completion_tokens: 1, messages: [\n" +
          "    { role: \"system\", content: `You help ${question}.` }] })"
      ),
      "b.py": pythonAsk(`    system = "You help " + question\n    return ask(system=system)`),
      "c.ts": `import { generateText } from "ai"\n` +
        `export const f = (topic: string) => generateText({ maxOutputTokens: 1, system: \`On \${topic}\` })\n`
    },
    ["a.js:5", "b.py:5", "c.ts:2"],
    {
      "a.js": ask(
        "  return client.chat.completions.create({ max_completion_tokens: 1, messages: [\n" +
          "    { role: \"system\", content: `You help. ${RULES}` }, { role: \"user\", content: `Asked: ${question}` }] })"
      ),
      "b.py": pythonAsk(`    return ask(system="You help with {question}")`)
    }
  ],
  [
    "secret-in-prompt",
    {
      "a.js": ask(
        "  return client.chat.completions.create({ max_completion_tokens: 1, messages: [\n" +
          "    { role: \"user\", content: `Use ${process.env.PAYMENT_API_KEY} to pay.` }] })"
      )
    },
    ["a.js:5"],
    {
      "a.js": ask(
        "  const headers = { authorization: `Bearer ${process.env.PAYMENT_API_KEY}` }\n" +
          "  return client.chat.completions.create({ max_completion_tokens: 1, messages: [{ role: \"user\", content: `Hi ${name}` }] })"
      )
    }
  ],
  [
    "shell-tool",
    {
      "a.js": tool("  return execSync(it)"),
      "b.py": `from mcp.server.fastmcp import FastMCP\nimport subprocess\nmcp = FastMCP("s")\n@mcp.tool()\ndef run(command: str):\n` +
        `    return subprocess.run(command, shell=True)\n`,
      "agent.js": `import OpenAI from "openai"\nimport { run } from "./tools/shell.js"\n`,
      "tools/shell.js": "import { execSync } from \"node:child_process\"\nexport const run = (command) => execSync(`ls ${command}`)\n"
    },
    ["a.js:7", "b.py:6", "tools/shell.js:2"],
    {
      "a.js": tool("  if (!ALLOWED.has(it)) throw new Error(it)\n  return execSync(it)"),
      "b.js": tool("  return execSync(\"git status\")"),
      // Nothing of an agent is near it.
      "scripts/build.js": "import { execSync } from \"node:child_process\"\nexport const run = (command) => execSync(command)\n"
    }
  ],
  ["code-tool", { "a.js": tool("  return eval(it)") }, ["a.js:7"], { "a.js": tool("  return eval(\"1\" + CONSTANT)") }],
  ["file-tool", { "a.js": tool("  return readFile(it, \"utf8\")") }, ["a.js:7"], {
    "a.js": tool("  const path = resolve(ROOT, it)\n  if (!path.startsWith(ROOT)) throw new Error(it)\n  return readFile(path)"),
    "b.js": tool("  return readFile(\"prompt.md\")")
  }],
  ["network-tool", { "a.js": tool("  return fetch(it)") }, ["a.js:7"], {
    "a.js": tool("  if (!HOSTS.includes(new URL(it).hostname)) throw new Error(it)\n  return fetch(it)"),
    "b.js": tool("  return fetch(`https://api.example.com/items/${it}`)")
  }],
  [
    "tool-without-schema",
    {
      "a.js": `${server}server.tool("run", "Runs.", async ({ it }) => it)\n`,
      "b.ts": `import { tool } from "ai"\nexport const run = tool({ description: "Runs", execute: async ({ it }) => it })\n`
    },
    ["a.js:6", "b.ts:2"],
    {
      "a.js": tool("  return it"),
      "b.ts": `import { tool } from "ai"\nexport const run = tool({ inputSchema: s, execute: async ({ it }) => it })\n`,
      "c.js": `${server}server.tool("now", async () => 1)\n`
    }
  ],
  [
    "loop-without-bound",
    {
      "a.js": ask(`  while (true) {\n    const answer = ${completion}\n    if (answer.done) return answer\n  }`),
      "b.py": pythonAsk(`    while True:\n        reply = ${pythonCompletion}\n        if reply.done:\n            return reply`)
    },
    ["a.js:4", "b.py:4"],
    {
      "a.js": ask(`  for (let step = 0; step < 9; step++) {\n    const answer = ${completion}\n  }`),
      "b.py": pythonAsk(
        `    while True:\n        turns += 1\n        if turns > MAX_TURNS:\n            break\n        reply = ${pythonCompletion}`
      ),
      "c.js": ask("  while (true) {\n    await pause()\n  }")
    }
  ],
  ["money-without-approval", { "a.js": tool("  return stripe.refunds.create({ charge: it })") }, ["a.js:7"], {
    "a.js": tool("  await approvals.waitFor(it)\n  return stripe.refunds.create({ charge: it })")
  }],
  ["output-rendered", { "a.js": ask(`  const answer = ${completion}\n  element.innerHTML = answer.text`) }, ["a.js:5"], {
    "a.js": ask(`  const answer = ${completion}\n  element.textContent = answer.text\n  other.innerHTML = "<p>"`)
  }],
  ["output-queried", { "b.py": pythonAsk(`    reply = ${pythonCompletion}\n    return cursor.execute(reply.text)`) }, ["b.py:5"], {
    "b.py": pythonAsk(`    reply = ${pythonCompletion}\n    return cursor.execute("SELECT 1", [1])`)
  }],
  [
    "unsafe-switch",
    {
      "b.py": `from langchain_experimental.agents import create_pandas_dataframe_agent\n` +
        `x = create_pandas_dataframe_agent(df, allow_dangerous_code=True)\n`
    },
    ["b.py:2"],
    {
      "b.py": `from langchain_experimental.agents import create_pandas_dataframe_agent\n` +
        `x = create_pandas_dataframe_agent(df, allow_dangerous_code=False)\n`
    }
  ],
  [
    "output-unchecked",
    {
      "a.js": ask(`  const answer = ${completion}\n  return JSON.parse(answer.choices[0].message.content)`)
    },
    ["a.js:5"],
    {
      "a.js": ask(`  const answer = ${completion}\n  return Order.parse(JSON.parse(answer.choices[0].message.content))`),
      "b.js": ask(`  const answer = ${completion}\n  return JSON.parse(settings)`)
    }
  ],
  [
    "no-token-limit",
    {
      "a.js": `${openai}export const f = () => client.chat.completions.create({ model: "m", messages: [] })\n`,
      "b.py": `${python}reply = client.chat.completions.create(model="m", messages=[])\n`
    },
    ["a.js:3", "b.py:3"],
    {
      "a.js": `${openai}export const f = () => client.chat.completions.create({ ...usual, messages: [] })\n`,
      "b.py": `${python}reply = client.chat.completions.create(model="m", max_tokens=9, messages=[])\n`,
      "c.ts": `import Anthropic from "@anthropic-ai/sdk"\nexport const f = (c: Anthropic) => c.messages.create({ max_tokens: 9 })\n`
    }
  ],
  [
    "unpinned-server",
    {
      ".mcp.json": `{\n  "mcpServers": {\n    "files": { "command": "npx", "args": ["-y", "@scope/server-files"] }\n  }\n}\n`
    },
    [".mcp.json:3"],
    {
      ".mcp.json": `{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "@scope/server-files@1.2.3", "/data"] },` +
        ` "own": { "command": "node" } } }\n`
    }
  ],
  ["no-timeout", {
    "a.js": `import OpenAI from "openai"\nconst client = new OpenAI()\n`,
    "b.py": "from openai import OpenAI\nc = OpenAI()\n"
  }, [
    "a.js:2",
    "b.py:2"
  ], { "a.js": openai, "b.py": python }],
  ["prompt-logged", { "a.js": ask(`  const answer = ${completion}\n  console.log("asked", messages)`) }, ["a.js:5"], {
    "a.js": ask(`  const answer = ${completion}\n  console.log("messages", messages.length)`)
  }]
]

describe("each rule", () => {
  it.each(CASES)("%s finds what breaks it, and nothing else", async (rule, broken, places, right) => {
    assert.deepStrictEqual(await linesOf(broken, rule), places)
    assert.deepStrictEqual(await linesOf(right, rule), [])
  })

  it("has a case, or is what others find", () => {
    const tried = new Set<string>([...CASES.map(([rule]) => rule), "secret-in-code"])
    assert.deepStrictEqual(Object.keys(rules).filter((rule) => !tried.has(rule)), [])
  })

  it("passes over tests, comments and strings", async () => {
    const { plan } = await hardened({
      "a.test.js": tool("  return execSync(it)"),
      "a.js": `${server}// execSync(it)\nconst text = "eval(it)"\n`
    })
    assert.deepStrictEqual(plan, [])
  })
})

describe("the plan", () => {
  it("begins with the gravest, and names OWASP's entries with their addresses", async () => {
    const { plan, searched } = await hardened({
      "a.js": tool("  return execSync(it)"),
      "b.js": `import OpenAI from "openai"\nconst c = new OpenAI()\n`
    }, [
      { path: "key.js", line: 3 }
    ])
    assert.deepStrictEqual(plan.map(({ line, path, priority, severity }) => [priority, severity, path, line]), [
      [1, "critical", "key.js", 3],
      [2, "high", "a.js", 7],
      [3, "low", "b.js", 2]
    ])
    assert.deepStrictEqual(plan[1]?.sources.map(({ id }) => id), ["LLM06", "ASI02"])
    for (const { url } of Object.values(sources)) assert.isTrue(URL.canParse(url))
    assert.deepStrictEqual(searched, { files: 2, agent_files: 2, model_calls: 0 })
  })

  it("is empty where no agent is, and says what was searched", async () => {
    assert.deepStrictEqual(await hardened({ "a.js": "export const a = 1\n" }), {
      plan: [],
      patch: "",
      skipped: [],
      searched: { files: 1, agent_files: 0, model_calls: 0 }
    })
  })

  it("is the same whatever order files come in", async () => {
    const texts = Object.fromEntries(
      CASES.flatMap(([rule, broken]) => Object.entries(broken).map(([path, text]) => [`${rule}/${path}`, text]))
    )
    const backwards = Object.fromEntries(Object.entries(texts).toReversed())
    assert.deepStrictEqual(await hardened(texts), await hardened(backwards))
  })

  it("shows no line of a file that must not be shown", async () => {
    const { patch, plan } = await planOf([{
      path: "a.js",
      text: "import OpenAI from \"openai\"\nconst c = new OpenAI()\n",
      isShown: false
    }], [])
    assert.deepStrictEqual([plan.length, patch, "patch" in (plan[0] ?? {})], [1, "", false])
  })
})

describe("a file that is made to hold its reader", () => {
  it.each<readonly [what: string, text: string]>([
    ["assignments without end", "const a = b\n".repeat(40_000)],
    ["calls without end", "eval(it)\n".repeat(40_000)]
  ])("of %s is given up in seconds, and others are read", async (_, text) => {
    const { plan } = await hardened({ "a.js": ask(`  const it = ${completion}\n${text}`), "b.js": tool("  return eval(it)") })
    assert.include(plan.map(({ path, rule }) => `${rule} ${path}`), "code-tool b.js")
  })
})

/** An agent whose loop ends, with a double of the client: its tests pass before and after. */
const agent = {
  "package.json": `{ "type": "module" }\n`,
  "node_modules/openai/package.json": `{ "name": "openai", "type": "module", "exports": "./index.js" }\n`,
  "node_modules/openai/index.js": "export default class {\n  answers = 0\n" +
    "  chat = { completions: { create: async (request) => ({ request, done: ++this.answers > 2, text: \"hi\" }) } }\n}\n",
  "src/my agent.js": `import OpenAI from "openai"\n\nconst client = new OpenAI()\n\n` +
    `export const run = async (question) => {\n  const messages = [{ role: "user", content: question }]\n  while (true) {\n` +
    `    const answer = await client.chat.completions.create({\n      model: "m",\n      messages\n    })\n` +
    `    if (answer.done) return answer.text\n  }\n}\n`,
  "run.test.js": `import assert from "node:assert"\nimport { test } from "node:test"\nimport { run } from "./src/my agent.js"\n` +
    `test("run", async () => { assert.strictEqual(await run("hi"), "hi") })\n`
}

describe("the patch", () => {
  it("applies whole and item by item, takes the findings away, and leaves the project's tests green", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hardening-"))
    try {
      for (const [path, text] of Object.entries(agent)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      const passing = () =>
        /^# pass (\d+)$/mu.exec(execFileSync(process.execPath, ["--test", "--test-reporter=tap"], {
          cwd: folder,
          encoding: "utf8",
          env: { PATH: process.env["PATH"] }
        }))?.[1]
      const git = (input: string, ...args: ReadonlyArray<string>) => execFileSync("git", ["apply", ...args], { cwd: folder, input })
      const own = { "src/my agent.js": agent["src/my agent.js"] }
      const { patch, plan } = await hardened(own)
      assert.deepStrictEqual(plan.map(({ rule }) => rule), ["loop-without-bound", "no-token-limit", "no-timeout"])
      for (const item of plan) git(item.patch ?? "", "--check")
      assert.strictEqual(passing(), "1")
      git(patch)
      assert.strictEqual(passing(), "1")
      const text = readFileSync(join(folder, "src/my agent.js"), "utf8")
      assert.include(text, "if (++agentSteps > 25) throw new Error")
      assert.deepStrictEqual((await hardened({ "src/my agent.js": text })).plan, [])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("keeps Python a program, and takes the findings away", async () => {
    const text = `from openai import OpenAI\n\nclient = OpenAI()\n\n\ndef run(question):\n    while True:\n` +
      `        reply = client.chat.completions.create(\n            model="m",\n            messages=[],\n        )\n` +
      `        if reply:\n            return reply\n`
    const folder = mkdtempSync(join(tmpdir(), "hardening-"))
    try {
      writeFileSync(join(folder, "a.py"), text)
      const { patch, plan } = await hardened({ "a.py": text })
      assert.deepStrictEqual(plan.map(({ rule }) => rule), ["loop-without-bound", "no-token-limit", "no-timeout"])
      execFileSync("git", ["apply"], { cwd: folder, input: patch })
      const after = readFileSync(join(folder, "a.py"), "utf8")
      assert.include(after, `            max_completion_tokens=1024,\n            model="m",`)
      assert.include(after, "        agent_steps += 1\n        if agent_steps > 25:\n            raise RuntimeError")
      assert.deepStrictEqual((await hardened({ "a.py": after })).plan, [])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
