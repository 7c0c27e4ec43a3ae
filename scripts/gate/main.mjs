/** What .ci/run runs. The last lines say everything; the exit code says whether it was green. */
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { gate } from "./gate.mjs"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const reporters = ["--reporter=default", "--reporter=./scripts/gate/report.ts", "--reporter=./scripts/slowest.ts"]

try {
  const { isGreen, lines } = await gate(root, {
    checks: ["npm", "run", "check"],
    tests: (...files) => ["npm", "test", "--", ...reporters, ...files]
  })
  console.log(`\n${lines.join("\n")}`)
  process.exitCode = isGreen ? 0 : 1
} catch (error) {
  console.log(`FAILED  the run itself: ${error.message}\n0 passed, 1 failed`)
  process.exitCode = 1
}
