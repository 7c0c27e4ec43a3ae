import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parse } from "yaml"
import { fact } from "../facts/model.ts"
import { makeProject } from "../facts/project.ts"
import { givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { citedShare, type Texts, unitsOf } from "../testing/measures.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { automationPipeline } from "./automation-pipeline.ts"
import { superpowers } from "./program.ts"
import { refactorChecklist } from "./refactor-checklist.ts"
import { testGenerationRules } from "./test-generation-rules.ts"
import { workflowRegistry } from "./workflow-registry.ts"

const long = (name: string, sign: string): string =>
  `export function ${name}(items) {\n  let sum = 0\n  for (const item of items) {\n` +
  `    if (item.count > 0 && item.price !== undefined) {\n` +
  `      sum ${sign}= item.count * item.price\n    }\n  }\n  return Math.max(0, Math.round(sum * 100) / 100)\n}\n`

/** Sound: tests pass, everything is used, nothing stands twice. */
const sound = {
  "package.json": JSON.stringify(
    { name: "shop", type: "module", main: "src/index.js", scripts: { lint: "node lint.js", test: "node --test" } },
    null,
    2
  ),
  "lint.js": `import { readFileSync } from "node:fs"\nif (readFileSync("src/total.js", "utf8").includes("var ")) process.exit(1)\n`,
  "src/index.js": `export { total } from "./total.js"\nexport * from "./tax.js"\n`,
  "src/total.js":
    `import { rounded as round } from "./round.js"\n// export const unused = "in a comment"\nconst text = "export const unused = 1"\n${
      long("total", "+")
    }` +
    "export const shown = (x) => `${round(x)} \\` ${text}`\n",
  "src/tax.js": `${long("tax", "-")}\nexport const letters = /[/"'\`]/g\n`,
  "src/round.js": `export const rounded = (x) => Math.round(x)\n`,
  "test/total.test.js":
    `import { test } from "node:test"\nimport assert from "node:assert"\nimport { shown, total } from "../src/total.js"\n\n` +
    `test("adds", () => {\n  assert.strictEqual(total([{ count: 2, price: 3 }]), 6)\n  assert.ok(shown(1))\n})\n`
}

const failing = { ...sound, "src/total.js": sound["src/total.js"].replace("sum +=", "sum -=") }
const linted = { ...sound, "src/total.js": `${sound["src/total.js"]}var old = 1\n` }

/** Writes the files and the artifacts into a folder, runs one of the latter there, and removes the folder. */
const runIn = async (texts: Texts, path: string, { args = [] as ReadonlyArray<string>, git = false, input = "" } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "superpowers-"))
  try {
    const project = await projectIn(texts)
    const made = superpowers.artifacts.map((artifact) => [artifact.path, artifact.make(project).text] as const)
    for (const [name, text] of [...Object.entries(texts), ...made]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
      if (/\.sh$|pre-push$/u.test(name)) chmodSync(join(folder, name), 0o755)
    }
    if (git) spawnSync("git", ["init", "--quiet"], { cwd: folder })
    const command = path.endsWith(".mjs") ? [process.execPath, path, ...args] : ["bash", path]
    // A test within a test would report to the outer one, not to the script.
    const env = { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: folder }
    const { status, stderr, stdout } = spawnSync(command[0] ?? "", command.slice(1), { cwd: folder, encoding: "utf8", env, input })
    return { status, text: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const PUSH = `refs/heads/main ${"1".repeat(40)} refs/heads/main ${"0".repeat(40)}\n`
const DELETION = `(delete) ${"0".repeat(40)} refs/heads/main ${"1".repeat(40)}\n`

describe("scripts", () => {
  const cases: ReadonlyArray<readonly [name: string, texts: Texts, status: number]> = [
    ["sound", sound, 0],
    ["failing its test", failing, 1],
    ["failing its linter", linted, 1]
  ]
  it.each(cases)("of a repository that is %s end with what it is", async (_, texts, status) => {
    const { status: ended, text } = await runIn(texts, "verify.sh")
    assert.strictEqual(ended, status, text)
  })

  it.each(["verify-full.sh", ".githooks/pre-push"])("of all checks and before a push end so, too: %s", async (path) => {
    assert.strictEqual((await runIn(sound, path, { git: true, input: PUSH })).status, 0)
    assert.strictEqual((await runIn(failing, path, { git: true, input: PUSH })).status, 1)
  })

  it("let a push that only deletes go", async () => {
    assert.strictEqual((await runIn(failing, ".githooks/pre-push", { git: true, input: DELETION })).status, 0)
  })

  it("are not green where nothing was verified, and let pushes go", async () => {
    const texts = { "notes.txt": "nothing\n" }
    assert.deepStrictEqual(await runIn(texts, "verify.sh"), { status: 1, text: "nothing to verify\n" })
    assert.deepStrictEqual(await runIn(texts, ".githooks/pre-push", { git: true, input: PUSH }), { status: 0, text: "nothing to verify\n" })
  })

  it("run nothing that hides in a name", async () => {
    const texts = { ...sound, "package.json": sound["package.json"].replace(`"lint":`, `"lint; touch stolen":`) }
    const project = await projectIn(texts)
    for (const { make, path } of superpowers.artifacts.filter(({ path }) => /\.sh$|pre-push|\.yaml$/u.test(path))) {
      assert.notInclude(make(project).text, "stolen", path)
    }
  })

  it("pass ShellCheck", (context) => {
    const linter = process.env["SHELLCHECK"] ?? "shellcheck"
    if (spawnSync(linter, ["--version"]).status !== 0) return context.skip("ShellCheck is not installed")
    return projectIn(sound).then((project) => {
      for (const { make, path } of superpowers.artifacts.filter(({ path }) => /\.sh$|pre-push$/u.test(path))) {
        const { status, stdout } = spawnSync(linter, ["--shell=bash", "-"], { encoding: "utf8", input: make(project).text })
        assert.strictEqual(status, 0, `${path}\n${stdout}`)
      }
    })
  })
})

describe("redundancy-sweep.mjs", () => {
  const sweep = (texts: Texts, ...args: ReadonlyArray<string>) => runIn(texts, "redundancy-sweep.mjs", { args })

  it("is green where nothing is redundant", async () => {
    const { status, text } = await sweep(sound)
    assert.strictEqual(status, 0, text)
  })

  const broken: ReadonlyArray<readonly [what: string, more: Texts, finding: string]> = [
    ["a file that nothing imports", { "src/old.js": "console.log(1)\n" }, "src/old.js:1 unreached-file: nothing imports it"],
    [
      "files that only import each other",
      { "src/a.js": `import "./b.js"\n`, "src/b.js": `import "./a.js"\n` },
      "src/a.js:1 unreached-file: only src/b.js, unreached as well"
    ],
    [
      "an export that nobody takes",
      { "src/round.js": `${sound["src/round.js"]}export const half = (x) => x / 2\n` },
      "src/round.js:2 unused-export: half"
    ],
    [
      "an export behind a file that passes it on unasked",
      {
        "src/round.js": `export { rounded } from "./inner.js"\nexport { spare as extra } from "./inner.js"\n`,
        "src/inner.js": "export const rounded = 1, y = 2\nexport const spare = 3\n"
      },
      "src/inner.js:2 unused-export: spare"
    ],
    ["the same body twice", { "src/tax.js": long("tax", "+") }, "src/tax.js:1 same-body: also at src/total.js:4"]
  ]
  it.each(broken)("is red at %s", async (_, more, finding) => {
    const { status, text } = await sweep({ ...sound, ...more })
    assert.strictEqual(status, 1)
    assert.include(text, finding)
  })

  const used: ReadonlyArray<readonly [how: string, more: Texts]> = [
    ["require", {
      "src/tax.js": `const { half } = require("./half")\nconsole.log(half)\n`,
      "src/half.js": "exports.half = (x) => x / 2\n"
    }],
    ["import()", {
      "src/tax.js": `export const half = async () => (await import("./half.js")).half\n`,
      "src/half.js": "export const half = 2\n"
    }],
    ["a namespace", {
      "src/tax.js": `import * as all from "./half.js"\nexport default all.half\n`,
      "src/half.js": "export const half = 2\n"
    }],
    ["new URL", { "src/tax.js": `export const worker = new URL("./worker.js", import.meta.url)\n`, "src/worker.js": "console.log(1)\n" }],
    ["a template", {
      "src/tax.js": "import { half } from './half.js'\nexport const s = `a ${`b ${half}`} c`\n",
      "src/half.js": "export const half = 2\n"
    }],
    ["a script of the manifest", {
      "package.json": sound["package.json"].replace("node lint.js", "node lint.js && node tools/check"),
      "tools/check.js": ""
    }],
    ["its first line", { "bin/shop": "", "tools/run.js": "#!/usr/bin/env node\nconsole.log(1)\n" }],
    ["TypeScript's .js", {
      "src/tax.js": `import { half } from "./half.js"\nexport const x = half\n`,
      "src/half.ts": "export const half: number = 2\n"
    }],
    ["an index", { "src/tax.js": `export * from "./parts"\n`, "src/parts/index.js": "export const part = 1\n" }]
  ]
  it.each(used)("knows what is used by %s", async (_, more) => {
    const { status, text } = await sweep({ ...sound, ...more })
    assert.strictEqual(status, 0, text)
  })

  it("leaves out what was known, on request", async () => {
    const texts = { ...sound, "src/old.js": "console.log(1)\n" }
    assert.strictEqual((await sweep(texts)).status, 1)
    assert.strictEqual((await sweep(texts, "--new")).status, 0)
  })

  it("says that there is nothing to sweep in a repository of another language", async () => {
    assert.deepStrictEqual(await sweep({ "main.py": "print(1)\n" }), { status: 0, text: "nothing to sweep\n" })
  })
})

describe("refactor-checklist.md", () => {
  it("leaves out what is exported to those who import a whole file", async () => {
    const used = { "src/tax.js": `import * as half from "./half.js"\nexport default half.one\n`, "src/half.js": "export const one = 1\n" }
    assert.notInclude(refactorChecklist(await projectIn({ ...sound, ...used })).text, "need not be exported")
    const named = { ...used, "src/tax.js": `import { two } from "./half.js"\nexport default two\n` }
    assert.include(refactorChecklist(await projectIn({ ...sound, ...named })).text, "`one` need not be exported (`src/half.js:1`)")
  })

  it("counts a file once that imports types apart from the rest", async () => {
    const importer = `import type { A } from "./a.ts"\nimport { a } from "./a.ts"\nexport const b: A = a\n`
    const importers = Object.fromEntries(["b", "c", "d", "e", "f"].map((name) => [`src/${name}.ts`, importer]))
    const { text } = refactorChecklist(await projectIn({ "src/a.ts": "export type A = number\nexport const a = 1\n", ...importers }))
    assert.include(text, "`src/a.ts`: 5 importers, none a test")
  })
})

describe("superpowers", () => {
  it("give the same bytes in whatever order files come", async () => givesTheSameBytes(superpowers, await factsIn(sound)))

  it("say of no file at all that nothing was searched", () => saysWhatWasSearched(superpowers))

  it("make a workflow of the repository's own commands", async () => {
    const checkout = fact("ci-step", "ci", { job: "a", name: null, run: null, uses: "actions/checkout@v6" }, {
      path: "ci.yml",
      start_line: 7,
      end_line: 7
    })
    const files = [...await factsIn({ ...sound, "package-lock.json": "{}" }), { path: "ci.yml", facts: [checkout] }]
    const workflow: unknown = parse(automationPipeline(makeProject({ project_name: `shop "x": y` }, files)).text)
    assert.deepStrictEqual(workflow, {
      name: `shop "x": y verify`,
      on: ["push", "pull_request"],
      permissions: { contents: "read" },
      jobs: {
        verify: {
          "runs-on": "ubuntu-latest",
          steps: [
            { uses: "actions/checkout@v6" },
            { uses: "actions/setup-node@v4" },
            { run: "npm ci" },
            { run: "npm run lint" },
            { run: "npm run test" }
          ]
        }
      }
    })
  })

  it("register what can be started", async () => {
    const registry = parseJson(workflowRegistry(await projectIn(sound)).text) as { readonly scripts: ReadonlyArray<unknown> }
    assert.deepStrictEqual(registry.scripts, [
      { name: "lint", start: "npm run lint", folder: ".", runs: ["node lint.js"], purpose: "lint" },
      { name: "test", start: "npm run test", folder: ".", runs: ["node --test"], purpose: "test" }
    ])
  })

  it("tell which exports no test reaches, and which none names", async () => {
    const { text } = testGenerationRules(await projectIn({ ...sound, "src/round.js": "export function rounded(x) {\n  return x\n}\n" }))
    const [, unreached, unnamed] = text.split(/## Exports that .*\n/u)
    assert.match(unreached ?? "", /`tax` \|.*`src\/tax\.js:1-9`/u)
    assert.match(unnamed ?? "", /`rounded` \|.*`src\/round\.js:1-3`/u)
    assert.notMatch(text, /\| `total` \|/u)
  })

  it("cite lines that hold a word of what is said", async () => {
    const project = await projectIn(sound)
    for (const { make, path } of superpowers.artifacts.filter(({ path }) => path.endsWith(".md"))) {
      const artifact = make(project)
      assert.isAtLeast(citedShare(unitsOf(path, artifact, sound)), 0.9, `${path}\n${artifact.text}`)
    }
  })

  it("without evidence are short, valid and say what was searched", async () => {
    const project = await projectIn({ "notes.txt": "nothing\n" })
    for (const { make, path } of superpowers.artifacts) {
      const { evidence, text } = make(project)
      assert.strictEqual(evidence, "none", path)
      assert.match(text, /[Ss]earched/u, path)
      assert.isAtMost(text.trimEnd().split("\n").length, 15, path)
      if (path.endsWith(".json")) parseJson(text)
      if (path.endsWith(".yaml")) assert.hasAllKeys(parse(text), ["name", "on", "permissions", "jobs"])
    }
  })
})
