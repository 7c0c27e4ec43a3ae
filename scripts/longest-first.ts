/**
 * The order in which Vitest hands out test files: the longest first, so that none of them runs on alone at the end. A fresh clone has no
 * times of an earlier run, by which Vitest would order them; the size of a file says little of its time.
 */
import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** More than half a minute on an idle machine of two cores, the longest first; the last line of a run names the ten longest. */
export const LONG = [
  "packages/testkit/src/confined/confined.test.ts",
  "packages/testkit/src/guides.test.ts",
  "packages/testkit/src/browser/subscription.test.ts",
  "packages/testkit/src/browser/states.test.ts",
  "packages/testkit/src/browser/checkout.test.ts",
  "packages/testkit/src/billing/billing.test.ts",
  "packages/testkit/src/browser/face.test.ts",
  "packages/testkit/src/simulation/simulation.test.ts",
  "packages/server/src/main.test.ts",
  "packages/testkit/src/readme.test.ts",
  "packages/testkit/src/browser/invoice.test.ts",
  "packages/testkit/src/agents/analysis/killed.test.ts",
  "packages/engines/src/analysis/analysis.test.ts",
  "packages/tools/src/backends/analyzer.test.ts",
  "packages/platform/src/database/embedded.test.ts",
  "packages/testkit/src/agents/egress/private.test.ts",
  "packages/testkit/src/hostile-files/hostile-files.test.ts",
  "packages/testkit/src/contract/tenants.test.ts",
  "packages/testkit/src/contract/bad-requests.test.ts",
  "packages/testkit/src/clients/doors.test.ts",
  "packages/testkit/src/agents/fuzz/fuzz.test.ts",
  "packages/tools/src/backends/readiness.test.ts",
  "packages/testkit/src/clients/lost-replies.test.ts",
  "packages/tools/src/code-sandbox/code-sandbox.test.ts",
  "packages/tools/src/backends/web-reader.test.ts",
  "packages/testkit/src/browser/pay-page.test.ts",
  "packages/testkit/src/clients/paid-sessions.test.ts",
  "packages/testkit/src/clients/plans-in-use.test.ts",
  "packages/testkit/src/browser/passthrough.test.ts"
]

const place = ({ moduleId }: TestSpecification): number => {
  const at = LONG.indexOf(relative(process.cwd(), moduleId))
  return at === -1 ? LONG.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
