/** The tests that docs/swapping-a-layer.md shows are those of `examples/swapping/`, and what `replacing` refuses does not compile. */
import { assert, it } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { Balances } from "@svc/ledger/balances/service"
import { Catalog } from "@svc/tool-kit/derive"
import { Effect } from "effect"
import { readdirSync } from "node:fs"
import { exampleAs, pageText, typescriptOf } from "./examples.ts"
import { replacing } from "./replacing.ts"
import { services } from "./services.ts"

const shown = ["rail", "one-rail", "repository", "inner-repository", "service", "backend", "clock"].map((name) => `${name}.test.ts`)

it("docs/swapping-a-layer.md shows whole tests that are run, and CONTRIBUTING.md names the page", () => {
  assert.deepStrictEqual(typescriptOf("docs/swapping-a-layer.md"), shown.map((file) => exampleAs(`swapping/${file}`)))
  assert.sameMembers(readdirSync(new URL("examples/swapping", import.meta.url)), shown)
  assert.include(pageText("CONTRIBUTING.md"), "(docs/swapping-a-layer.md)")
})

it("what the application does not provide, or has another shape, does not compile", () => {
  // @ts-expect-error a catalog is no part of the services: the doors bring it
  services.pipe(replacing(Catalog, new Map()))
  // @ts-expect-error a number is no list of words
  services.pipe(replacing(Balances, { againstClosing: () => Effect.succeed(0) }))
  // @ts-expect-error accounts do not fail so
  // @effect-diagnostics-next-line missingEffectError:off
  services.pipe(replacing(Accounts, { move: () => Effect.fail("no") }))
})
