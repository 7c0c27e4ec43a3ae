/** What is said of programs is so: each artifact has its line, and what runs asks for no facts but those that are named. */
import { assert, describe, it } from "@effect/vitest"
import { aboutPrograms } from "./about.ts"
import type { FactKind } from "./facts/model.ts"
import type { Project } from "./facts/project.ts"
import { programs } from "./programs.ts"
import { runningPrograms } from "./running.ts"
import { orders } from "./testing/orders.fixture.ts"
import { projectIn } from "./testing/repository.ts"

/** The project, which notes the kinds of facts that it is asked for. */
const noting = (project: Project, asked: Set<FactKind>): Project => ({
  ...project,
  facts: (kind) => {
    asked.add(kind)
    return project.facts(kind)
  },
  factsOf: (path, kind) => {
    asked.add(kind)
    return project.factsOf(path, kind)
  }
})

describe("what is said of programs", () => {
  it("names every program and every artifact, in their order", () => {
    assert.deepStrictEqual(Object.keys(aboutPrograms), programs.map(({ name }) => name))
    for (const { artifacts, name } of programs) {
      assert.deepStrictEqual(Object.keys(aboutPrograms[name]?.artifacts ?? {}), artifacts.map(({ path }) => path), name)
    }
  })

  it("says it in a line each", () => {
    for (const { about, artifacts } of Object.values(aboutPrograms)) {
      for (const line of [about, ...Object.values(artifacts)]) assert.match(line, /^.{6,120}$/u)
    }
  })

  it.each(runningPrograms.map((program) => [program.name, program] as const))(
    "names the facts that %s asks for",
    async (name, { artifacts }) => {
      const asked = new Set<FactKind>()
      const project = noting(await projectIn(orders), asked)
      for (const { make } of artifacts) make(project)
      asked.delete("file")
      const missing = [...asked].filter((kind) => aboutPrograms[name]?.evidence.includes(kind) !== true)
      assert.deepStrictEqual(missing, [], `add these to the evidence of ${name} in about.ts`)
    }
  )
})
