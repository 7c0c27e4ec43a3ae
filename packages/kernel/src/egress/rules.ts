/** The guard's decisions, pure: may this URL be called, and may this name's DNS answers be connected to. */
import { Equal, Result } from "effect"
import * as Host from "effect/net/Host"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import { specialPurpose } from "./addresses.ts"
import { type EgressPolicy, EgressRefusal } from "./model.ts"

const MAX_URL_CHARS = 2048
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443])
const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 }

// RFC 6761, RFC 6762, RFC 8375, RFC 7686 and ICANN's .internal: names that never mean a public host.
const LOCAL_SUFFIXES = ["localhost", "localdomain", "local", "internal", "home.arpa", "onion"]

/** An entry of the allow list, parsed. */
interface Exception {
  readonly host: Host.Host | IpNetwork.IpNetwork
  readonly port: number | undefined
}

// An IPv4 address written as ::ffff:a.b.c.d is that IPv4 address.
const canonical = (host: Host.Host): Host.Host => NetAddress.isIpAddress(host) ? NetAddress.toCanonical(host) : host

const parseEntry = (entry: string): Exception => {
  const network = IpNetwork.fromString(entry)
  if (Result.isSuccess(network)) return { host: network.success, port: undefined }
  const host = Host.hostFromString(entry)
  if (Result.isSuccess(host)) return { host: canonical(host.success), port: undefined }
  const endpoint = Host.hostPortFromString(entry)
  if (Result.isSuccess(endpoint)) return { host: canonical(endpoint.success.host), port: endpoint.success.port }
  throw new RangeError(`${entry} is not an entry of an egress allow list: a host name, an IP address, either with :port, or a network`)
}

const exceptions = new WeakMap<EgressPolicy, ReadonlyArray<Exception>>()

const exceptionsOf = (policy: EgressPolicy): ReadonlyArray<Exception> => {
  const exceptionAddresses = exceptions.get(policy)
  if (exceptionAddresses !== undefined) return exceptionAddresses
  const parsed = policy.allow.map(parseEntry)
  exceptions.set(policy, parsed)
  return parsed
}

const isAllowed = (policy: EgressPolicy, host: Host.Host, port: number): boolean => {
  const wantedHost = canonical(host)
  return exceptionsOf(policy).some((exception) => {
    if (exception.port !== undefined && exception.port !== port) return false
    return IpNetwork.isIpNetwork(exception.host)
      ? NetAddress.isIpAddress(wantedHost) && IpNetwork.contains(exception.host, wantedHost)
      : Equal.equals(exception.host, wantedHost)
  })
}

/**
 * A name may resolve into an allowed network; to reach a single address it has to be allowed itself, or anybody's name could lead there.
 */
const mayAnswer = (policy: EgressPolicy, answer: NetAddress.IpAddress): boolean => {
  const address = NetAddress.toCanonical(answer)
  return exceptionsOf(policy).some(({ host }) => IpNetwork.isIpNetwork(host) && IpNetwork.contains(host, address))
}

const invalid = (message: string) => Result.fail(new EgressRefusal({ reason: "invalid_url", message }))
const refused = (message: string) => Result.fail(new EgressRefusal({ reason: "refused_address", message }))

const checkHost = (host: Host.Host): Result.Result<void, EgressRefusal> => {
  if (NetAddress.isIpAddress(host)) {
    const purpose = specialPurpose(host)
    return purpose === undefined ? Result.void : refused(`The address is not public (${purpose}). Use a public host name`)
  }
  const isLocal = !/[^.]\.[^.]/.test(host) || LOCAL_SUFFIXES.some((suffix) => `.${host}`.endsWith(`.${suffix}`))
  return isLocal ? refused("The host name is a local one. Use a public host name with a domain") : Result.void
}

/**
 * Parsed the way browsers do, so that every spelling of an address comes out as the address it is. Characters
 * the parser would drop or repair are refused first: what is called must be what was shown.
 */
const parseUrl = (text: string): Result.Result<URL, EgressRefusal> => {
  if (text.length > MAX_URL_CHARS) return invalid(`The URL is longer than ${MAX_URL_CHARS} characters`)
  if (!/^[!-[\]-~\u00a1-\u{10ffff}]*$/u.test(text)) {
    return invalid("The URL holds white space, control characters or backslashes. Encode or remove them")
  }
  const url = URL.parse(text)
  if (url === null) return invalid("This is not an absolute URL. Expected something like https://example.com/webhooks")
  if (!(url.protocol in DEFAULT_PORTS)) return invalid("Only http and https URLs can be called")
  if (url.username !== "" || url.password !== "") {
    return invalid("The URL carries a user name or password. Remove it; requests are signed instead")
  }
  let host = url.hostname
  while (host.endsWith(".")) host = host.slice(0, -1)
  url.hostname = host
  url.hash = ""
  return Result.succeed(url)
}

/** The host of a URL that `checkUrl` returned, without brackets, and its port. */
export const endpointOf = (url: URL): { readonly host: string; readonly port: number } => ({
  host: url.hostname.replace(/^\[|\]$/g, ""),
  port: url.port === "" ? DEFAULT_PORTS[url.protocol] ?? 0 : Number(url.port)
})

/**
 * The part of the guard that needs no DNS: scheme, user info, port, literal addresses and local names.
 * Answers the parsed URL, without fragment and without the dot that ends an absolute host name. Throws a
 * RangeError, a defect, when the policy holds an entry that `EgressPolicy` would not decode.
 */
export const checkUrl = (text: string, policy: EgressPolicy): Result.Result<URL, EgressRefusal> =>
  Result.flatMap(parseUrl(text), (url) => {
    const endpoint = endpointOf(url)
    const host = Host.hostFromString(endpoint.host)
    if (Result.isFailure(host)) return invalid("The host of the URL is not a valid host name")
    if (isAllowed(policy, host.success, endpoint.port)) return Result.succeed(url)
    return Result.flatMap(checkHost(host.success), () =>
      PORTS.has(endpoint.port)
        ? Result.succeed(url)
        : invalid(`Port ${endpoint.port} is not called. Use one of ${Array.from(PORTS).join(", ")}`))
  })

/**
 * Whether every address a name resolved to may be connected to. One that may not spoils them all: a name
 * that answers a public and a private address is an attack or a mistake.
 */
export const checkAnswers = (
  name: string,
  port: number,
  answers: ReadonlyArray<NetAddress.IpAddress>,
  policy: EgressPolicy
): Result.Result<void, EgressRefusal> => {
  const host = Host.hostFromString(name)
  if (Result.isSuccess(host) && isAllowed(policy, host.success, port)) return Result.void
  for (const answer of answers) {
    const purpose = mayAnswer(policy, answer) ? undefined : specialPurpose(answer)
    if (purpose !== undefined) return refused(`${name} resolves to an address that is not public (${purpose})`)
  }
  return Result.void
}
