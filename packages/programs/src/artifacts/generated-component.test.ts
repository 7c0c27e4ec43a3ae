import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { bikes } from "../testing/bikes.fixture.ts"
import { projectIn } from "../testing/repository.ts"
import { generatedComponent } from "./generated-component.ts"

const TESTING = join(import.meta.dirname, "../testing")
const MODULES = join(import.meta.dirname, "../../../../node_modules")

/** Shows the table of a shop's rentals beside a server that answers each method so, and presses its first button. */
const showRentals = async (statuses: Readonly<Record<string, number>>) => {
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(statuses[request.method ?? ""] ?? 404, { "content-type": "application/json" })
    response.end(JSON.stringify([{ id: "a b", bike: "<b>red", minutes: requests.length }]))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const folder = mkdtempSync(join(tmpdir(), "svc-component-"))
  try {
    symlinkSync(MODULES, join(folder, "node_modules"))
    writeFileSync(join(folder, "rentals.tsx"), generatedComponent(await projectIn(bikes, "bikes")).text)
    const properties = JSON.stringify({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    const parts = [join(TESTING, "show-component.mjs"), join(folder, "rentals.tsx"), "RentalsTable", properties]
    const { stdout } = await promisify(execFile)(process.execPath, parts)
    return { ...parseJson(stdout) as { readonly shown: string; readonly pressed: string }, requests }
  } finally {
    rmSync(folder, { recursive: true })
    server.close()
  }
}

describe("the component that is made", () => {
  it("shows what its route answers, and again after a button asked another route", async () => {
    const { pressed, requests, shown } = await showRentals({ GET: 200, POST: 200 })
    assert.include(shown, "<tr><td>a b</td><td>&lt;b&gt;red</td><td>1</td><td></td>")
    assert.include(pressed, "<td>3</td>")
    assert.deepStrictEqual(requests, ["GET /api/rentals", "POST /api/rentals/a%20b/end", "GET /api/rentals"])
  })

  it("shows that a button was refused", async () => {
    const { pressed, requests } = await showRentals({ GET: 200, POST: 409 })
    assert.include(pressed, "<span role=\"alert\">POST /api/rentals/:rentalId/end: 409</span>")
    assert.lengthOf(requests, 2)
  })

  it("shows why there is nothing to see", async () => {
    const { shown } = await showRentals({ GET: 503 })
    assert.include(shown, "<span role=\"alert\">Error: GET /api/rentals: 503</span>")
    assert.notInclude(shown, "<td>")
  })
})
