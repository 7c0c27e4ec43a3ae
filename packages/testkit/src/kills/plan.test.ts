import { assert, it } from "@effect/vitest"
import { failPoints } from "@svc/server/packages"
import { globSync, readFileSync } from "node:fs"
import { makeChance } from "../simulation/chance.ts"
import { killPlan } from "./plan.ts"

const packages = new URL("../../../", import.meta.url)

/** The fail points as they stand in the sources. */
const written = () =>
  globSync("*/src/**/*.ts", { cwd: packages }).filter((path) => !path.endsWith(".test.ts")).flatMap((path) =>
    Array.from(
      readFileSync(new URL(path, packages), "utf8").matchAll(/\bfailPoint(sAround)?\("([^"]+)"\)/g),
      ([, around, name = ""]) => around === undefined ? [name] : [`${name}.before`, `${name}.after`]
    ).flat()
  )

it("the plan visits every fail point that stands anywhere in the packages", () => {
  assert.deepStrictEqual([...failPoints], written().sort())
  assert.isAbove(failPoints.length, 20)
  const visited = killPlan(makeChance("plan"), failPoints.length).map((kill) => kill._tag === "At" ? kill.point : kill._tag)
  assert.sameMembers(visited, [...failPoints])
})
