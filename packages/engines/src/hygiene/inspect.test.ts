/** What is found, what is graded, and what a fix may change: over files that were planted for it. */
import { assert, describe, it } from "@effect/vitest"
import { pack } from "@svc/programs/confined/pack"
import { Ajv } from "ajv"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { engine } from "./inspect.ts"
import type { InspectAnswer, InspectOptions, InspectReport } from "./model.ts"
import { rules } from "./rule-table.ts"

type Texts = Readonly<Record<string, string>>

const bytesOf = (texts: Texts) => pack(Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })))

const inspected = async (texts: Texts, options: Partial<InspectOptions> = {}): Promise<InspectReport> => {
  const answer = await engine(bytesOf(texts), { config: {}, plan: true, patch: true, ...options }) as unknown as InspectAnswer
  return "grade" in answer ? answer : assert.fail(JSON.stringify(answer))
}

const placesOf = ({ findings }: InspectReport, rule: string) =>
  findings.filter((finding) => finding.rule === rule).map(({ line, path }) => `${path}:${line ?? "-"}`)

const manifest = `{ "name": "shop", "dependencies": { "left": "1.0.0" } }\n`
const lock = `{ "packages": { "": {}, "node_modules/left": {} } }\n`
const workflow = (uses: string, head = "permissions: {}\n") =>
  `on: push\n${head}jobs:\n  test:\n    steps:\n      - name: one\n        uses: ${uses}\n`
const token = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`
const pinned = `actions/checkout@${"0a".repeat(20)}`

/** For each rule files that break it, where, and files like them that do not. */
const CASES: Readonly<Record<keyof typeof rules, readonly [broken: Texts, places: ReadonlyArray<string>, right: Texts]>> = {
  "secret": [{ "a.ts": `\nconst key = "${token}"\n` }, ["a.ts:2"], { "a.ts": `const key = process.env["TOKEN"]\n` }],
  "environment-file": [{ "web/.env": "# x\nKEY=v\n" }, ["web/.env:2"], { ".env.example": "KEY=v\n", ".env": "# none\nKEY=\n" }],
  "card-number": [{ "a.ts": `\npay("4242424242424242")\n` }, ["a.ts:2"], { "a.ts": `pay("4242424242424243")\n` }],
  "conflict-marker": [
    { "a.ts": "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n" },
    ["a.ts:2"],
    { "a.md": "<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n", "b.rst": "Title\n=======\n", "c.ts": "<<<<<<< HEAD\n" }
  ],
  "invalid-json": [{ "a.json": `{\n  "a": 1,\n}\n` }, ["a.json:3"], { "tsconfig.json": `{ /* why */ "a": 1 }\n`, "a.json": "[1]\n" }],
  "invalid-yaml": [{ "a.yml": "a: 1\nb: [1\n" }, ["a.yml:3"], { "a.yml": "a: 1\n---\nb: 2\n", "chart.yaml": "a: {{ .Values }}\n" }],
  "bidirectional-text": [{ "a.ts": "\nconst a = 1 // \u202e\n" }, ["a.ts:2"], { "a.ts": `const a = "\\u202e"\n`, "b.txt": "\u202e\n" }],
  "shebang-crlf": [{ "run.sh": "#!/bin/sh\r\nls\r\n" }, ["run.sh:1"], { "run.sh": "#!/bin/sh\nls\n" }],
  "debugger": [
    { "a.ts": "f()\n  debugger\n", "b.py": "x\nbreakpoint()\n" },
    ["a.ts:2", "b.py:2"],
    { "a.ts": `// debugger\nconst a = "debugger;"\nobject.debugger()\n`, "b.py": "# breakpoint()\n" }
  ],
  "empty-catch": [
    { "a.ts": "try { f() } catch (e) {\n}\n", "b.py": "try:\n  f()\nexcept Exception:\n  pass\n" },
    ["a.ts:1", "b.py:3"],
    {
      "a.ts": "try { f() } catch { /* gone already */ }\npromise.catch(() => {})\n",
      "b.py": "try:\n  f()\nexcept OSError:\n  pass  # gone already\n"
    }
  ],
  "case-conflict": [{ "a.ts": "a()\n", "A.ts": "a()\n" }, ["a.ts:-"], { "a.ts": "a()\n", "b/A.ts": "a()\n" }],
  "console-log": [
    { "src/a.ts": "f()\nconsole.log(1)\nconsole.log(2)\n" },
    ["src/a.ts:2"],
    { "bin/a.ts": "console.log(1)\n", "a.test.ts": "console.log(1)\n", "src/a.ts": "console.error(1)\n// console.log(1)\n" }
  ],
  "focused-test": [
    { "a.test.ts": "it.only(\"x\", () => {})\n" },
    ["a.test.ts:1"],
    { "a.test.ts": "it(\"it.only(x)\", () => {})\nmy.it.only(1)\n", "src/a.ts": "it.only(1)\n" }
  ],
  "low-coverage": [
    { "coverage/lcov.info": "SF:a.ts\nLF:10\nLH:5\nend_of_record\n" },
    ["coverage/lcov.info:-"],
    { "coverage/coverage-summary.json": `{ "total": { "lines": { "total": 10, "covered": 6 } } }\n` }
  ],
  "no-tests": [
    { "package.json": manifest, "a.ts": "a()\n" },
    ["a.ts:-"],
    { "package.json": manifest, "a.ts": "a()\n", "a.test.ts": "it(\"a\", a)\n" }
  ],
  "skipped-test": [{ "a.test.ts": "it.skip(\"x\", f)\n", "test_a.py": "@pytest.mark.skip\ndef test_a(): f()\n" }, [
    "a.test.ts:1",
    "test_a.py:1"
  ], { "a.test.ts": "it(\"x\", f)\n" }],
  "lock-missing-entry": [
    { "package.json": `{\n  "dependencies": {\n    "left": "1.0.0",\n    "right": "1.0.0"\n  }\n}\n`, "package-lock.json": lock },
    ["package.json:4"],
    { "package.json": manifest, "package-lock.json": lock }
  ],
  "missing-lockfile": [{ "package.json": manifest }, ["package.json:-"], {
    "package-lock.json": lock,
    "packages/a/package.json": manifest,
    "empty/package.json": "{}\n"
  }],
  "floating-dependency": [{ "package.json": `{\n  "dependencies": { "left": "*" }\n}\n` }, ["package.json:2"], {
    "package.json": manifest
  }],
  "unpinned-action": [
    { ".github/workflows/a.yml": workflow("actions/checkout@v4") },
    [".github/workflows/a.yml:7"],
    { ".github/workflows/a.yml": workflow(pinned), ".github/workflows/b.yml": workflow("./.github/actions/own") }
  ],
  "workflow-permissions": [{ ".github/workflows/a.yml": workflow(pinned, "") }, [".github/workflows/a.yml:1"], {
    ".github/workflows/a.yml": workflow(pinned)
  }],
  "container-root": [
    { "Dockerfile": "FROM node:24 AS build\nUSER node\nFROM node:24\nRUN ls\n" },
    ["Dockerfile:3"],
    { "Dockerfile": "FROM node:24\nUSER node\n", "b.dockerfile": "FROM gcr.io/distroless/nodejs:nonroot\n" }
  ],
  "container-latest": [
    { "Dockerfile": "FROM node\nUSER a\n", "b.dockerfile": "FROM registry:5000/node:latest\nUSER a\n" },
    ["Dockerfile:1", "b.dockerfile:1"],
    { "Dockerfile": "ARG V=1\nFROM node:24 AS base\nFROM base\nFROM scratch\nFROM node:${V}\nUSER a\n" }
  ],
  "large-file": [{ "a.txt": "x".repeat(512_001) }, ["a.txt:-"], { "a.txt": "x".repeat(512_000) }],
  "mixed-line-endings": [{ "a.ts": "a()\nb()\r\nc()\n" }, ["a.ts:2"], { "a.ts": "a()\r\nb()\r\n" }],
  "byte-order-mark": [{ "a.ts": "\ufeffa()\n" }, ["a.ts:1"], { "a.ts": "a()\n", "b.csv": "\ufeffa\n" }],
  "trailing-whitespace": [
    { "a.ts": "a()\nb()  \n" },
    ["a.ts:2"],
    { "a.md": "a  \nb\n", "a.ts": "const a = `x  \ny`\n", "a.patch": "+a \n", "__snapshots__/a.snap": "a \n" }
  ],
  "final-newline": [{ "a.ts": "a()\nb()" }, ["a.ts:2"], { "a.ts": "a()\n", "empty.ts": "", "a.md": "a" }],
  "todo-debt": [
    { "a.ts": "// TODO one\n".repeat(21) },
    ["a.ts:1"],
    { "a.ts": `${"// TODO one\n".repeat(20)}const TODO = "TODO"\n` }
  ],
  "missing-license": [{ "package.json": "{}\n" }, ["LICENSE:-"], { "package.json": "{}\n", "LICENSE": "MIT\n" }],
  "missing-readme": [{ "package.json": "{}\n" }, ["README.md:-"], { "package.json": "{}\n", "readme.rst": "Shop\n" }],
  "missing-gitignore": [{ "package.json": "{}\n" }, [".gitignore:-"], { "package.json": "{}\n", ".gitignore": "*.log\n" }],
  "committed-dependencies": [{ "web/node_modules/a/b.js": "a\n", "web/node_modules/c.js": "a\n" }, ["web/node_modules/a/b.js:-"], {
    "src/modules/a.js": "a()\n"
  }],
  "committed-output": [{ "a/__pycache__/b.pyc": "x\n", ".DS_Store": "x\n" }, [".DS_Store:-", "a/__pycache__/b.pyc:-"], {
    "cache/a.py": "a()\n"
  }],
  "ignored-file": [{ ".gitignore": "*.log\n", "a.log": "x\n" }, ["a.log:-"], { ".gitignore": "*.log\n!a.log\n", "a.log": "x\n" }]
}

describe("each rule", () => {
  it.each(Object.entries(CASES))("%s finds what breaks it, and nothing else", async (rule, [broken, places, right]) => {
    assert.deepStrictEqual(placesOf(await inspected(broken), rule), places)
    assert.deepStrictEqual(placesOf(await inspected(right), rule), [])
  })

  it("names its source as an address", () => {
    for (const { source } of Object.values(rules)) assert.isTrue(URL.canParse(source) && source.startsWith("https://"), source)
  })
})

const clean: Texts = {
  "package.json": manifest,
  "package-lock.json": lock,
  "LICENSE": "MIT\n",
  "README.md": "# Shop\n",
  ".gitignore": "node_modules\n",
  "src/a.ts": "export const a = 1\n",
  "src/a.test.ts": "it(\"a\", () => a)\n"
}

describe("the grade", () => {
  const gradeOf = async (texts: Texts, config: InspectOptions["config"] = {}) => (await inspected({ ...clean, ...texts }, { config })).grade
  const lcov = (hit: number) => ({ "coverage/lcov.info": `LF:100\nLH:${hit}\n` })

  it("is A of a clean project, which has no finding at all", async () => {
    const { dimensions, findings, grade } = await inspected(clean)
    assert.deepStrictEqual([grade, findings], ["A", []])
    assert.isTrue(Object.values(dimensions).every((points) => points === 100))
  })

  it("falls with what is found, and says why", async () => {
    assert.strictEqual(await gradeOf({ "b.ts": "debugger\n" }), "A")
    assert.strictEqual(await gradeOf({ "b.ts": "debugger\n", "Dockerfile": "FROM node:24\n" }), "B")
    assert.strictEqual(await gradeOf({ "b.test.ts": "it.only(1)\n" }), "C")
    assert.strictEqual(await gradeOf({ "b.test.ts": "it.only(1)\n", "b.json": "{\n" }), "D")
    const { grade, reasons } = await inspected({ ...clean, "b.ts": `const t = "${token}"\n` })
    assert.strictEqual(grade, "F")
    assert.include(reasons, "A credential stands in the files.")
  })

  it("is bounded by the coverage that was sent, by the caller's thresholds or ours", async () => {
    for (const [hit, grade] of [[90, "A"], [89, "B"], [75, "B"], [74, "C"], [60, "C"], [59, "D"]] as const) {
      assert.strictEqual(await gradeOf(lcov(hit)), grade, String(hit))
    }
    assert.strictEqual(await gradeOf(lcov(50), { coverageA: 0.5, coverageB: 0.4, coverageC: 0.3 }), "A")
    const cobertura = `<?xml version="1.0"?>\n<coverage line-rate="0.7" branch-rate="0.1"></coverage>\n`
    assert.strictEqual((await inspected({ ...clean, "cobertura.xml": cobertura })).dimensions["coverage"], 70)
  })

  it("counts what is to be done, and takes the caller's bounds", async () => {
    const { counts, findings } = await inspected({ ...clean, "src/b.ts": "// TODO one\n" }, {
      config: { todoDebtThreshold: 0, maxFileBytes: 40 }
    })
    assert.strictEqual(counts["todos"], 1)
    assert.includeMembers(findings.map(({ rule }) => rule), ["todo-debt", "large-file"])
  })
})

describe("a secret", () => {
  const key = [
    "-----BEGIN RSA PRIVATE KEY-----",
    ...Array.from({ length: 12 }, (_, at) => `MIIEpAIBAAKCAQEA${at + 10}${"abcDEF12".repeat(5)}abcdef`),
    "-----END RSA PRIVATE KEY-----"
  ]
  const card = "4242424242424242"

  it("is named by rule and line, and its bytes occur nowhere in the answer", async () => {
    const secrets = [token, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz", card, ...key.slice(1, -1)]
    const report = await inspected({
      "a.ts": `f() \nconst t = "${token}" \ng() \n`,
      "aws.ini": `aws_secret_access_key = "${secrets[1]}"\n`,
      "key.ts": `const k = \`${key.join("\n")}\` \nf() \n`,
      "card.ts": `pay("${card}") \n`,
      // Nothing finds these two by their form, but they hold what was found.
      "split.ts": `const parts = ["x${token}x"] \n`,
      [`${token}/a.ts`]: "f() \n",
      "broken.json": `{ "${token}\n`
    })
    assert.includeMembers(placesOf(report, "secret"), ["a.ts:2", "aws.ini:1", "key.ts:1"])
    const answer = JSON.stringify(report)
    for (const secret of secrets) assert.notInclude(answer, JSON.stringify(secret).slice(1, -1))
    assert.include(answer, "sarif-2.1.0")
    assert.strictEqual(report.patch, "")
  })
})

describe("secrets alone", () => {
  it("are named with every file that holds one", async () => {
    const texts = {
      "a.ts": `const t = "${token}"\n`,
      "b.ts": `["x${token}x"]\n`,
      "c.ts": "debugger\n",
      "card.ts": `pay("4242424242424242")\n`
    }
    assert.deepStrictEqual(await engine(bytesOf(texts), { config: {}, plan: false, patch: false, only: "secrets" }), {
      secrets: [{ path: "a.ts", line: 1 }],
      secretive: ["a.ts", "b.ts", "card.ts"]
    })
  })
})

const validated = (): (log: unknown) => ReadonlyArray<unknown> => {
  const { $schema: _, id: __, ...schema } = createRequire(import.meta.url)("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")
  const ajv = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false, logger: false })
  const validate = ajv.compile(schema)
  return (log) => validate(log) ? [] : validate.errors ?? []
}

describe("SARIF", () => {
  it("is valid by its schema for every rule, and names each rule once", async () => {
    const errorsOf = validated()
    assert.isNotEmpty(errorsOf({ version: "2.1.0", runs: [{ results: [] }] }))
    for (const [broken] of Object.values(CASES)) {
      const { findings, sarif } = await inspected(broken)
      assert.deepStrictEqual(errorsOf(sarif), [])
      const [run] = (sarif as unknown as { readonly runs: ReadonlyArray<{ readonly results: ReadonlyArray<unknown> }> }).runs
      assert.lengthOf(run?.results ?? [], findings.length)
    }
  })

  it("writes odd file names as references, and keeps the fingerprint of a finding that moved", async () => {
    const keysOf = async (text: string) => {
      const { sarif } = await inspected({ "a b/ä#?.ts": text })
      return JSON.stringify(sarif)
    }
    const [one, other] = [await keysOf("debugger\n"), await keysOf("f()\n\ndebugger\n")]
    assert.include(one, "a%20b/%C3%A4%23%3F.ts")
    const key = /"ruleFileMessage\/v1":"([0-9a-f]{64})"/u
    assert.strictEqual(key.exec(one)?.[1], key.exec(other)?.[1])
    assert.isDefined(key.exec(one)?.[1])
  })
})

/** The files after the patch was applied, and what `run` says in their folder before and after. */
const patched = async <A>(texts: Texts, run: (folder: string) => A) => {
  const folder = mkdtempSync(join(tmpdir(), "hygiene-"))
  try {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { patch = "" } = await inspected(texts)
    const before = run(folder)
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", ...args], { cwd: folder, input: patch })
    git("--check")
    git()
    const after = Object.fromEntries(Object.keys(texts).map((path) => [path, readFileSync(join(folder, path), "utf8")]))
    return { patch, before, after, ran: run(folder) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const FORM = ["mixed-line-endings", "trailing-whitespace", "final-newline", "byte-order-mark"]

describe("a fix", () => {
  it("applies, takes the findings away, and leaves the project's tests green", async () => {
    const project = {
      "package.json": `{ "name": "shop", "type": "module" } \n`,
      "src/price file.js": "export const price = `a  \n b` \nexport const total = (n) => { \n  return n * 2\t\n}",
      "src/ends.js": "export const one = 1\r\nexport const two = 2\nexport const three = 3\r\n",
      "src/mark.js": "\ufeffexport const mark = 1 \n",
      "price.test.js":
        `import assert from "node:assert" \nimport { test } from "node:test"\nimport { price, total } from "./src/price file.js"\n` +
        `import { three } from "./src/ends.js"\nimport { mark } from "./src/mark.js"\n` +
        `test("price", () => { \n  assert.deepStrictEqual([price, total(2), three, mark], ["a  \\n b", 4, 3, 1])\n})`
    }
    const { after, before, ran } = await patched(project, (folder) => {
      const output = execFileSync(process.execPath, ["--test", "--test-reporter=tap"], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] }
      })
      return /^# pass (\d+)$/mu.exec(output)?.[1]
    })
    assert.deepStrictEqual([before, ran], ["1", "1"])
    assert.include(after["src/price file.js"] ?? "", "`a  \n b`\n")
    const { findings, patch } = await inspected(after)
    assert.deepStrictEqual(findings.filter(({ rule }) => FORM.includes(rule)), [])
    assert.strictEqual(patch, "")
  })

  it.each<readonly [what: string, path: string, text: string]>([
    ["a docstring", "a.py", `def f():\n    """one  \n    two"""\n    return f.__doc__\n`],
    ["a raw string of Go", "a.go", "package a\n\nvar a = `x  \ny`\n"],
    ["a block of YAML", "a.yaml", "a: |\n  one  \n  two\n"],
    ["a heredoc", "run.sh", "cat <<EOF\none  \nEOF\n"],
    ["Markdown", "a.md", "one  \ntwo\n"],
    ["code that does not parse", "a.ts", "const = = \n"],
    ["JSON with a byte order mark", "a.json", "\ufeff{}\n"],
    ["a file that others wrote", "node_modules/a.js", "f() \n"],
    ["a format that nobody here knows", "a.xyz", "one \n"]
  ])("leaves %s as it is", async (_, path, text) => {
    const { patch } = await inspected({ [path]: text })
    assert.strictEqual(patch, "")
  })

  it.each<readonly [what: string, path: string, text: string, fixed: string]>([
    ["Python", "a.py", "def f(): \n  return 1\t\n", "def f():\n  return 1\n"],
    ["Go", "a.go", "package a \n\nvar a = 1", "package a\n\nvar a = 1\n"],
    ["YAML", "a.yml", "a: 1  \nb: 2", "a: 1\nb: 2\n"],
    ["TOML", "a.toml", "a = 1  \n", "a = 1\n"],
    ["CSS", "a.css", "a {  \n  color: red; \n}", "a {\n  color: red;\n}\n"],
    ["JSX", "a.jsx", "const a = <p> \n  one\n</p>\nf() \n", "const a = <p> \n  one\n</p>\nf()\n"],
    ["CRLF in most lines", "a b.ts", "a()\r\nb()\nc()\r\nd()", "a()\r\nb()\r\nc()\r\nd()\r\n"],
    ["a name with quotes", `a"b.ts`, "a() ", "a()\n"]
  ])("tidies %s", async (_, path, text, fixed) => {
    const { after } = await patched({ [path]: text }, () => undefined)
    assert.deepStrictEqual(after, { [path]: fixed })
  })
})

describe("what was sent", () => {
  const refusalOf = async (texts: Texts) => await engine(bytesOf(texts), { config: {}, plan: false, patch: false })

  it("is refused with paths that lead out or meet", async () => {
    assert.deepInclude(await refusalOf({ "../a.ts": "a" }), { refused: `The path "../a.ts" leads out of the project, or is none.` })
    assert.deepInclude(await refusalOf({ "a.ts": "a", "./a.ts": "a" }), { refused: `Two files have the path "./a.ts".` })
  })

  it("has a plan only where one is asked for, and a patch likewise", async () => {
    const plain = await inspected(clean, { plan: false, patch: false })
    assert.notProperty(plain, "remediation_plan")
    assert.notProperty(plain, "sarif")
    assert.notProperty(await inspected(clean, { patch: false }), "patch")
  })

  it.each<readonly [what: string, text: string]>([
    ["spaces without end", `a${" ".repeat(300_000)}b\n`],
    ["comments without end", "#".repeat(300_000)],
    ["conflicts without end", "<<<<<<< \n".repeat(30_000)],
    ["catches without end", "catch (".repeat(30_000)],
    ["a binary file", "\0".repeat(1_000_000)]
  ])("of %s is inspected in seconds", async (_, text) => {
    await inspected({ "a.ts": text, "a.py": text, "a.json": text })
  })
})
