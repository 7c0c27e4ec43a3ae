/** The caller of a route of the tool server, and the key that its request shows. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { Forbidden } from "@svc/kernel/resource/errors"
import { Context, Effect } from "effect"

export class CurrentCaller extends Context.Service<CurrentCaller, ToolCaller>()("@svc/metering/CurrentCaller") {}

/** The account of the caller, whose own key this needs: an agent key may not do it. */
export const accountByItsKey = Effect.flatMap(
  CurrentCaller,
  ({ account, credential }): Effect.Effect<string, Forbidden> =>
    credential.kind === "api_key"
      ? Effect.succeed(account.id)
      : Effect.fail(new Forbidden({ message: "An agent key may not do this. Use a key of the account itself, svck_…." }))
)

/** The token of `Authorization: Bearer …`; undefined for any other scheme. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/iu.exec(authorization?.trim() ?? "")?.[1]

/** The key that a request shows. */
export const keyIn = (headers: Readonly<Record<string, string | undefined>>): string | undefined =>
  headers["x-svc-key"]?.trim() || bearerOf(headers["authorization"])
