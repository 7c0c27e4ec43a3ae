import { assert, describe, it } from "@effect/vitest"
import { programs } from "./programs.ts"
import { runningPrograms } from "./running.ts"

describe("programs that run", () => {
  it("make all that is listed, in its order", () => {
    const pathsOf = ({ artifacts, name }: { readonly name: string; readonly artifacts: ReadonlyArray<{ readonly path: string }> }) => ({
      name,
      paths: artifacts.map(({ path }) => path)
    })
    assert.deepStrictEqual(runningPrograms.map(pathsOf), programs.map(pathsOf))
  })
})
