/** How far an API key reaches, and which scopes one may have. Which key may make or revoke which is `access/rules.ts`. */
import { ValidationError } from "@svc/kernel/resource/errors"
import { Result } from "effect"
import type { ApiKeyScope } from "../access/model.ts"
import type { Reach } from "../access/rules.ts"
import type { ApiKeyKind } from "./model.ts"

/** How far an API key reaches. */
export const reachOfKey = ({ kind, scopes }: { readonly kind: ApiKeyKind; readonly scopes: ReadonlyArray<ApiKeyScope> }): Reach =>
  kind === "restricted" ? { kind, scopes } : { kind }

/**
 * Fails when no route asks for one of the scopes: the key would open less than its maker thinks. `known` is undefined where nobody says.
 */
export const checkScopes = (
  scopes: ReadonlyArray<ApiKeyScope>,
  known: ReadonlySet<string> | undefined
): Result.Result<void, ValidationError> => {
  const at = known === undefined ? -1 : scopes.findIndex((scope) => !known.has(scope))
  return at < 0 ? Result.succeed(undefined) : Result.fail(
    new ValidationError({
      code: `scopes.${at}`,
      message: `scopes.${at}: no route asks for ${scopes[at]}. The scopes are ${Array.from(known ?? []).join(", ")}`
    })
  )
}
