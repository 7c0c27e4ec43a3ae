import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { ApiKeyScope } from "../access/model.ts"
import { CreateApiKeyRequest } from "./model.ts"

const scopes: ReadonlyArray<ApiKeyScope> = ["account:read", "account:write", "api_keys:read", "ledger:read"]

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
