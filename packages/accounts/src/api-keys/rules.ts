/** Which key may make or revoke which. */
import { Forbidden, ValidationError } from "@svc/kernel/errors"
import type { Scope } from "../access/model.ts"
import { Result } from "effect"
import type { ApiKeyKind } from "./model.ts"

/** How far a key reaches. */
export interface Reach {
  readonly kind: ApiKeyKind
  readonly scopes: ReadonlyArray<Scope>
}

/** Whether everything `other` may do within their account, `key` may do too. */
export const covers = (key: Reach, other: Reach): boolean =>
  key.kind === "secret" || (other.kind === "restricted" && other.scopes.every((scope) => key.scopes.includes(scope)))

/**
 * A key may make and revoke the keys it covers, itself included: whoever holds a leaked key may end it,
 * and a restricted key can neither raise itself nor lock out the keys above it.
 */
export const mayManage = (key: Reach, other: Reach): Result.Result<void, Forbidden> => {
  if (covers(key, other)) return Result.succeed(undefined)
  const missing = other.kind === "restricted" ? other.scopes.filter((scope) => !key.scopes.includes(scope)) : []
  return Result.fail(new Forbidden({
    message: missing.length > 0
      ? `Your restricted key lacks ${missing.join(", ")}, which the other key has. Use a key that has these scopes, or a secret key.`
      : `A restricted key cannot make or revoke a ${other.kind} key. Use a secret key.`
  }))
}

/** Fails when no route asks for one of the scopes: the key would open less than its maker thinks. `known` is undefined where nobody says. */
export const checkScopes = (scopes: ReadonlyArray<Scope>, known: ReadonlySet<string> | undefined): Result.Result<void, ValidationError> => {
  const at = known === undefined ? -1 : scopes.findIndex((scope) => !known.has(scope))
  return at < 0 ? Result.succeed(undefined) : Result.fail(new ValidationError({
    code: `scopes.${at}`,
    message: `scopes.${at}: no route asks for ${scopes[at]}. The scopes are ${Array.from(known ?? []).join(", ")}`
  }))
}
