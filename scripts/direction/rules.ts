/** Who may import whom: packages stand on floors, files have roles. */

/** The floor of each package. A package imports from lower floors only. */
export const FLOORS: Readonly<Record<string, number>> = {
  kernel: 1,
  accounts: 2,
  webhooks: 3,
  ledger: 3,
  payments: 4,
  treasury: 5,
  reconciliation: 5,
  billing: 6,
  programs: 6,
  tools: 7,
  checkout: 7,
  assistant: 7,
  server: 8,
  dashboard: 8,
  // `svc serve` starts the server, so the command line stands on it.
  cli: 9
}

/** Packages outside the building: the SDK, which sees contracts only, and two that serve the tests. */
const OUTSIDE = ["client", "testkit", "bench"]
const FOR_TESTS = ["testkit", "bench"]

/** Benchmarks measure the machine's clock; everything else gets its time from a service. */
export const mayReadClock = (place: Place): boolean => place.package === "bench" || isTest(place)

/**
 * Whether a file holds what belongs to accounts, which may have a clock of their own: every package between the kernel and the server. There
 * the present moment is `now` of the kernel's `time.ts`, and where that of the world is meant, `realNow`.
 */
export const livesByAccounts = (place: Place): boolean => {
  const floor = FLOORS[place.package] ?? 0
  return floor > (FLOORS["kernel"] ?? 0) && floor < (FLOORS["server"] ?? 0) && !isTest(place)
}

/**
 * Which roles a file of each role may import. A role that outgrows its file becomes a folder of that name: `rules/refund.ts`
 * is rules as `rules.ts` is. CONTRIBUTING.md says what each holds.
 */
export const ROLES: Readonly<Record<string, ReadonlyArray<string>>> = {
  model: ["model"],
  rules: ["model", "rules"],
  api: ["model", "api"],
  repository: ["model", "repository"],
  road: ["model", "rules", "road"],
  provider: ["model", "rules", "repository", "road", "provider"],
  service: ["model", "rules", "repository", "road", "provider", "service"],
  http: ["model", "api", "service"],
  jobs: ["model", "service"],
  // What the resource brings: it names all of its folder.
  resource: ["model", "rules", "api", "repository", "road", "provider", "service", "http", "jobs"]
}

/** Files that count as a role under another name. A table of moves, what each status permits, what may be set and refusals are data, which contracts show and rules consult. */
const COUNTS_AS: Readonly<Record<string, string>> = { errors: "model", machine: "model", permits: "model", settings: "model" }

/**
 * Other files that a resource may have, by name. They may import, and be imported by, any role, so each is one that the
 * direction of imports says nothing about: whoever adds a name here has looked for its role first.
 */
const FREE: ReadonlySet<string> = new Set([
  // Its tables.
  "migrations",
  // accounts
  "authorization",
  "known-keys",
  "rate-limit",
  "secret",
  // ledger
  "chain",
  "journal",
  "tally",
  "route-check",
  "routes",
  "verify",
  // webhooks
  "agenda",
  "attempts",
  "connection",
  "load",
  "outbox",
  "queue",
  "queue-sql",
  "schedules",
  "signal",
  "worker",
  // billing
  "pdf",
  // server
  "health",
  "versions"
])

/** What stands behind a contract, and no customer of it may load. */
const IMPLEMENTATIONS: ReadonlySet<string> = new Set(["repository", "road", "provider", "service", "http", "jobs", "resource", "layer"])

/** Whether the SDK may load this file, directly or by way of another one. */
export const isContract = (place: Place): boolean =>
  place.package === "kernel" || !IMPLEMENTATIONS.has(roleOf(place) ?? place.path.split("/").at(-1)?.replace(/\.ts$/, "") ?? "")

export interface Place {
  readonly package: string
  /** Path below `src/`, with its ending. */
  readonly path: string
}

export const isTest = (place: Place): boolean => place.path.endsWith(".test.ts")

export const isKnown = (name: string): boolean => FLOORS[name] !== undefined || OUTSIDE.includes(name)

/** The folder of a resource and the path in it. The kernel has no resources. */
const inResource = ({ package: name, path }: Place): readonly [folder: string, part: string] | undefined => {
  const [folder, part] = path.split("/")
  return name === "kernel" || OUTSIDE.includes(name) || folder === undefined || part === undefined ? undefined : [folder, part.replace(/\.ts$/, "")]
}

/** The role of a file in a resource's folder. */
const roleOf = (place: Place): string | undefined => {
  const part = inResource(place)?.[1] ?? ""
  const role = COUNTS_AS[part] ?? part
  return ROLES[role] === undefined ? undefined : role
}

/**
 * Why a file may not stand where it does, or undefined when it may. `isResource` says whether a folder of the package has
 * an `api.ts`: other folders, such as one of helpers, are free.
 */
export const misplaced = (place: Place, isResource: (folder: string) => boolean): string | undefined => {
  const [folder, part] = inResource(place) ?? []
  // What tests of the folder share is no part of the resource.
  const isFree = part === undefined || FREE.has(part) || /(^|\.)fixture$/.test(part) || isTest(place)
  if (folder === undefined || isFree || !isResource(folder) || roleOf(place) !== undefined) return undefined
  return `${part} is no role of a resource: move what it holds to the role it has (${Object.keys(ROLES).join(", ")}, as a file or a folder), or add the name to scripts/direction/rules.ts`
}

const judgePackages = (from: Place, to: Place): string | undefined => {
  if (FOR_TESTS.includes(to.package)) {
    return FOR_TESTS.includes(from.package) || isTest(from) ? undefined : `${to.package} is for tests; only *.test.ts may import it`
  }
  if (FOR_TESTS.includes(from.package)) return undefined
  if (from.package === "client") {
    const contract = to.package === "kernel" || /(^|\/)(api|model)\.ts$/.test(to.path)
    return contract || isTest(from) ? undefined : "client imports contracts only: api, model and the kernel"
  }
  const here = FLOORS[from.package] ?? 0
  // Whoever stands on the top floor may use the SDK like any other customer.
  const there = to.package === "client" ? 7 : FLOORS[to.package] ?? 0
  if (there < here) return undefined
  return there === here
    ? `${to.package} stands on the same floor (${here}) as ${from.package}`
    : `upward: ${to.package} is on floor ${there}, ${from.package} on floor ${here}`
}

/** Why `from` may not import `to`, or undefined when it may. */
export const judge = (from: Place, to: Place): string | undefined => {
  if (from.package !== to.package) {
    const reason = judgePackages(from, to)
    if (reason !== undefined) return reason
  }
  const role = roleOf(from)
  const other = roleOf(to)
  if (role === undefined || other === undefined || ROLES[role]?.includes(other) === true) return undefined
  return `${role} may not import ${other}`
}
