import { assert, describe, it } from "@effect/vitest"
import { isAside } from "./aside.ts"

describe("what is in no use", () => {
  it.each(["examples/a.js", "packages/shop/docs/b.ts", "example/c.py", "src/test/java/org/shop/D.java"])("is %s", (path) => {
    assert.isTrue(isAside(path))
  })

  it.each(["src/main/java/org/example/loans/Loan.java", "com/example/a.kt", "src/documents.ts", "lib/latest/a.js"])("is not %s", (path) => {
    assert.isFalse(isAside(path))
  })
})
