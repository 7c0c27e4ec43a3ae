/** For which site browsers make passkeys. Pure. */
import { Result } from "effect"
import { PasskeyRefused } from "./model.ts"

/** The site that passkeys belong to, in the words of WebAuthn. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

const unavailable = (message: string) => Result.fail(new PasskeyRefused({ reason: "unavailable", message }))

/** A bare address, as a URL writes it. */
const ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/u

/** The names of this machine, which browsers trust without TLS. */
const isLocal = (host: string): boolean => host === "localhost" || host.endsWith(".localhost")

/** The site of the installation that is reached at this address. */
export const relyingPartyOf = (publicUrl: string): Result.Result<RelyingParty, PasskeyRefused> => {
  const url = URL.parse(publicUrl)
  if (url === null) return unavailable(`PUBLIC_URL is no address: ${publicUrl}. Set it to the one that people open.`)
  const { hostname, origin, protocol } = url
  if (ADDRESS.test(hostname)) {
    return unavailable(
      `Browsers make passkeys for names, and this service is reached at the bare address ${hostname}. ` +
        "Set PUBLIC_URL to an https address with a name, or open the service at http://localhost."
    )
  }
  if (protocol !== "https:" && !isLocal(hostname)) {
    return unavailable(`Browsers make passkeys over TLS only, and PUBLIC_URL is ${origin}. Set it to an https address.`)
  }
  return Result.succeed({ id: hostname, origin })
}
