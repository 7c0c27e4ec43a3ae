import { assert, describe, it } from "@effect/vitest"
import { type AnyFact, fact, type FileFacts } from "../facts/model.ts"
import { makeProject } from "../facts/project.ts"
import { runningPrograms } from "../running.ts"
import { segmentsOf } from "./scripts.ts"

const manifestOf = (path: string, scripts: ReadonlyArray<readonly [name: string, command: string]>): FileFacts => {
  const at = (line: number) => ({ path, start_line: line, end_line: line })
  const facts: ReadonlyArray<AnyFact> = [
    fact("file", path, { language: "JSON", role: "configuration", lines: scripts.length, bytes: 100 }, at(1)),
    fact("manifest", path, {
      ecosystem: "npm",
      version: "1.0.0",
      description: null,
      license: null,
      private: false,
      entries: [],
      workspaces: [],
      requires: []
    }, at(1)),
    ...scripts.map(([name, command], line) => fact("script", name, { runner: "npm", command }, at(line + 2)))
  ]
  return { path, facts }
}

const projectOf = (...files: ReadonlyArray<FileFacts>) => makeProject({ project_name: "shop" }, files)

const segments = (scripts: ReadonlyArray<readonly [string, string]>) => {
  const project = projectOf(manifestOf("package.json", scripts))
  const [first] = project.facts("script")
  return first === undefined ? assert.fail("no script") : segmentsOf(project, first)
}

describe("what a script runs in turn", () => {
  it("stands in order, each once", () => {
    const found = segments([["test", "npm run lint && npm run unit && npm run lint"], ["lint", "eslint ."], ["unit", "vitest"]])
    assert.deepStrictEqual(found.map(({ text }) => text), ["eslint .", "vitest", "npm run lint"])
  })

  it.each([
    ["thousands that run the next two each", 2],
    ["thousands that run the next one each", 1]
  ])("of %s is bounded", (_, next) => {
    const scripts = Array.from({ length: 5000 }, (__, at) =>
      [
        `test:${at}`,
        Array.from({ length: next }, (___, step) => `npm run test:${at + step + 1}`).join(" && ")
      ] as const)
    assert.isAtMost(segments(scripts).length, 200)
  })
})

describe("a repository of thousands of packages", () => {
  it("is put together in seconds", { timeout: 60_000 }, () => {
    const scripts = ["build", "test", "lint", "start"].map((name) => [name, "node run.js && npm run build"] as const)
    const project = projectOf(...Array.from({ length: 1500 }, (_, at) => manifestOf(`packages/p${at}/package.json`, scripts)))
    for (const { make } of runningPrograms.flatMap(({ artifacts }) => artifacts)) make(project)
  })
})
