/** An addition is found in the line of its feature, and what no line knows is named. */
import { assert, describe, it } from "@effect/vitest"
import type { Costs } from "./costs.ts"
import { type Budget, byFeature, differences, featureOf, readBudget } from "./features.ts"
import { bytesBySource, sourceOf } from "./sources.ts"

const files = { "the commit": ["kernel/road"], "follow-ups": ["kernel/road/follow-ups.ts"], Effect: ["effect"], HTTP: ["effect/http"] }

const budget: Budget = {
  files,
  subjects: {
    charge: [
      { feature: "the commit", operations: { create: 20 }, kibibytes: 30, statements: 1, rows: { events: 1 }, walBytes: { events: 900 } },
      { feature: "follow-ups", operations: { create: 5 } },
      { feature: "HTTP", operations: { create: 9 }, kibibytes: 10 }
    ]
  }
}

const counted: Costs = {
  operations: { create: 34 },
  operationsBySource: {
    create: { "kernel/road/committer.ts": 18, "kernel/road/writer.ts": 2, "kernel/road/follow-ups.ts": 5, "effect/http": 9 }
  },
  contextKeys: 34,
  kibibytes: 40,
  kibibytesBySource: { "kernel/road/batch.ts": 30.2, "effect/http": 9.7 },
  rows: { events: 1 },
  indexEntries: {},
  statements: 1,
  walBytes: { events: 910 },
  bufferHits: 0
}

describe("the budget", () => {
  it("is silent where the lines are what was counted", () => {
    assert.deepStrictEqual(differences(budget, "charge", counted), [])
  })

  it("names the line of an addition, also where another line became cheaper by as much", () => {
    const create = { ...counted.operationsBySource["create"], "kernel/road/writer.ts": 0, "kernel/road/follow-ups.ts": 7 }
    assert.deepStrictEqual(differences(budget, "charge", { ...counted, operationsBySource: { create } }), [
      "operations of create, the commit: 18 were counted, its line says 20",
      "operations of create, follow-ups: 7 were counted, its line says 5"
    ])
  })

  it("names a file that no line knows, a table, and a context that is too large", () => {
    const create = { ...counted.operationsBySource["create"], "tools/new.ts": 12 }
    const found = differences(budget, "charge", {
      ...counted,
      operationsBySource: { create },
      walBytes: { events: 910, news: 200 },
      contextKeys: 41
    })
    assert.strictEqual(found.length, 3, found.join("\n"))
    assert.include(found.join("\n"), "operations of create, tools/new.ts: 12 were counted, its line says 0")
    assert.include(found.join("\n"), "walBytes of news: 200 were counted, the lines add up to 0")
    assert.include(found.join("\n"), "41 keys, at most 40")
  })

  it("counts a file to the longest folder that has it", () => {
    assert.strictEqual(featureOf(files, "kernel/road/follow-ups.ts"), "follow-ups")
    assert.strictEqual(featureOf(files, "effect/http"), "HTTP")
    assert.strictEqual(featureOf(files, "effect/sql"), "Effect")
    assert.isUndefined(featureOf(files, "kernel/roads/a.ts"))
    assert.deepStrictEqual([...byFeature(files, { "a/b.ts": 2, "effect/http": 1 })], [["a/b.ts", 2], ["HTTP", 1]])
  })

  it("of the repository names a feature for each of its lines' operations", () => {
    const { files: published, subjects } = readBudget()
    for (const [subject, lines] of Object.entries(subjects)) {
      for (const { feature } of lines) assert.property(published, feature, subject)
      assert.strictEqual(new Set(lines.map(({ feature }) => feature)).size, lines.length, `${subject} has a feature twice`)
    }
  })
})

describe("the source", () => {
  it("of a file is its path below the packages, or the package of npm", () => {
    const of = (path: string) => sourceOf(`file:///srv/svc/${path}`)
    assert.deepStrictEqual(
      [
        of("packages/kernel/src/road/committer.ts"),
        of("node_modules/effect/dist/http/HttpRouter.js"),
        of("node_modules/@effect/sql-pg/dist/a.js")
      ],
      ["kernel/road/committer.ts", "effect/http", "@effect/sql-pg"]
    )
    const ofOthers = [
      "packages/bench/src/budget/probe.ts",
      "node_modules/effect/dist/Effect.js",
      "node_modules/effect/dist/internal/core.js"
    ]
    assert.deepStrictEqual([...ofOthers.map(of), sourceOf("node:net")], ofOthers.concat("").map(() => undefined))
  })

  it("of memory is the nearest on the stack, and Effect itself below the loop of a fiber", () => {
    const node = (url: string, functionName: string, selfSize: number, children: ReadonlyArray<ReturnType<typeof frame>> = []) =>
      frame(url, functionName, selfSize, children)
    const core = node("file:///s/node_modules/effect/dist/internal/core.js", "succeed", 5)
    const file = node("file:///s/packages/kernel/src/road/batch.ts", "add", 7, [core])
    const loop = node("file:///s/node_modules/effect/dist/internal/effect.js", "runLoop", 2, [core, file])
    const socket = node("file:///s/node_modules/@effect/sql-pg/dist/a.js", "onData", 3, [loop])
    assert.deepStrictEqual(bytesBySource({ head: node("", "(root)", 1, [socket]) }), {
      node: 1,
      "@effect/sql-pg": 3,
      effect: 7,
      "kernel/road/batch.ts": 12
    })
  })
})

interface Frame {
  readonly id: number
  readonly selfSize: number
  readonly callFrame: {
    readonly functionName: string
    readonly scriptId: string
    readonly url: string
    readonly lineNumber: 0
    readonly columnNumber: 0
  }
  readonly children: Array<Frame>
}

function frame(url: string, functionName: string, selfSize: number, children: ReadonlyArray<Frame>): Frame {
  return { id: 0, selfSize, callFrame: { functionName, scriptId: "0", url, lineNumber: 0, columnNumber: 0 }, children: [...children] }
}
