import { assert, describe, it } from "@effect/vitest"
import { Forbidden } from "@svc/kernel/errors"
import type { Scope } from "../access/model.ts"
import { Effect, Result, Schema } from "effect"
import { CreateApiKeyRequest } from "./model.ts"
import { covers, mayManage, type Reach } from "./rules.ts"

const scopes: ReadonlyArray<Scope> = ["account:read", "account:write", "api_keys:read", "ledger:read"]
const secret: Reach = { kind: "secret", scopes: [] }
const restricted = (...of: Reach["scopes"]): Reach => ({ kind: "restricted", scopes: of })

const Scopes = Schema.Array(Schema.Literals(scopes))

describe("mayManage", () => {
  const table: ReadonlyArray<readonly [string, Reach, Reach, boolean]> = [
    ["a secret key, a secret key", secret, secret, true],
    ["a secret key, a key of every scope", secret, restricted(...scopes), true],
    ["a key of every scope, a secret key", restricted(...scopes), secret, false],
    ["a secret key, a tool key", secret, { kind: "tool", scopes: [] }, true],
    ["a key of every scope, a tool key", restricted(...scopes), { kind: "tool", scopes: [] }, false],
    ["the same scopes", restricted("ledger:read", "account:read"), restricted("account:read", "ledger:read"), true],
    ["fewer scopes", restricted("ledger:read", "account:read"), restricted("account:read"), true],
    ["one scope more", restricted("ledger:read"), restricted("ledger:read", "account:read"), false],
    ["read is not write", restricted("api_keys:read"), restricted("api_keys:write"), false],
    ["write is not read", restricted("api_keys:write"), restricted("api_keys:read"), false]
  ]
  it.each(table)("%s", (_, key, other, allowed) => {
    const result = mayManage(key, other)
    assert.strictEqual(Result.isSuccess(result), allowed)
    if (Result.isFailure(result)) assert.instanceOf(result.failure, Forbidden)
  })

  it("names the scopes that are missing, and no others", () => {
    const { message } = Result.getOrThrow(Result.flip(mayManage(restricted("ledger:read"), restricted("ledger:read", "webhooks:write"))))
    assert.include(message, "webhooks:write")
    assert.notInclude(message, "ledger:read")
  })

  it.effect.prop("no chain of keys made by keys reaches further than the first", [Scopes, Scopes, Scopes], ([first, second, third]) =>
    Effect.sync(() => {
      const [a, b, c] = [restricted(...first), restricted(...second), restricted(...third)]
      if (covers(a, b) && covers(b, c)) assert.isTrue(covers(a, c))
      assert.isTrue(covers(a, a))
      assert.isFalse(covers(a, secret))
      assert.strictEqual(covers(a, b), new Set([...first, ...second]).size === new Set(first).size)
    }), { arbitrary: { runs: 1000 } })
})

describe("CreateApiKeyRequest", () => {
  const accepts = Schema.is(CreateApiKeyRequest)
  const table: ReadonlyArray<readonly [unknown, boolean]> = [
    [{ name: "a", kind: "secret" }, true],
    [{ name: "a", kind: "secret", scopes: [] }, true],
    [{ name: "a", kind: "secret", scopes: ["account:read"] }, false],
    [{ name: "a", kind: "restricted", scopes: ["account:read"] }, true],
    [{ name: "a", kind: "restricted", scopes: [...scopes] }, true],
    [{ name: "a", kind: "restricted", scopes: [] }, false],
    [{ name: "a", kind: "restricted" }, false],
    [{ name: "a", kind: "restricted", scopes: ["account:read", "account:read"] }, false],
    [{ name: "a", kind: "restricted", scopes: ["*"] }, false],
    [{ name: "a", kind: "operator" }, false],
    [{ kind: "secret" }, false],
    [{ name: "", kind: "secret" }, false],
    [{ name: " a", kind: "secret" }, false],
    [{ name: "a\nb", kind: "secret" }, false],
    [{ name: "x".repeat(80), kind: "secret" }, true],
    [{ name: "x".repeat(81), kind: "secret" }, false]
  ]
  it.each(table)("%o: %s", (request, ok) => {
    assert.strictEqual(accepts(request), ok)
  })
})
