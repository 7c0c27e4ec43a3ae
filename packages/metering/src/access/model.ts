/** The caller of a route of the tool server, and the key that its request shows. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { Forbidden } from "@svc/kernel/resource/errors"
import { Context, Effect } from "effect"

/** The caller of an HTTP route, which `ToolAuthorization` provides. Typed procedures have `CurrentCaller` of the tool kit instead. */
export class AuthorizedCaller extends Context.Service<AuthorizedCaller, ToolCaller>()("@svc/metering/AuthorizedCaller") {}

/** The account of the caller, whose own key this needs: an agent key may not do it. */
export const accountByItsKey = Effect.flatMap(
  AuthorizedCaller,
  ({ account, credential }): Effect.Effect<string, Forbidden> =>
    credential.kind === "api_key"
      ? Effect.succeed(account.id)
      : Effect.fail(new Forbidden({ message: "An agent key may not do this. Use a key of the account itself, svck_…." }))
)

type RequestHeaders = Readonly<Record<string, string | undefined>>

const SCHEMES = { Bearer: /^bearer\s+(\S+)$/iu, Payment: /^payment\s+(\S+)$/iu } as const

/**
 * The token of the first credential of this scheme. Several credentials may share `Authorization`, separated by commas: a token holds
 * neither comma nor space.
 */
export const tokenOf = (header: string | undefined, scheme: keyof typeof SCHEMES): string | undefined =>
  header?.split(",").flatMap((credential) => SCHEMES[scheme].exec(credential.trim())?.[1] ?? []).at(0)

/** The key that a request shows. Every door of the tool server reads it here, so that none of them takes a caller for another. */
export const keyIn = (headers: RequestHeaders): string | undefined =>
  headers["x-svc-key"]?.trim() || tokenOf(headers["authorization"], "Bearer")

/** Whether a payment stands where the key would stand. */
export const paysInKeysPlace = (headers: RequestHeaders): boolean =>
  ["payment-authorization", "authorization"].some((name) => tokenOf(headers[name], "Payment") !== undefined)
