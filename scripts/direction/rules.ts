/** Who may import whom: packages stand on floors, files have roles. */
import { OWN_ROLES, ownRoleOf } from "./own-roles.ts"

/** The floor of each package. A package imports from lower floors only. */
export const FLOORS: Readonly<Record<string, number>> = {
  kernel: 1,
  platform: 1.5,
  confined: 2,
  accounts: 2,
  design: 2,
  webhooks: 3,
  ledger: 3,
  "tool-kit": 3,
  programs: 2,
  engines: 3,
  payments: 4,
  metering: 4,
  stores: 4,
  compliance: 4,
  treasury: 5,
  reconciliation: 5,
  paywall: 5,
  billing: 6,
  tools: 6,
  doors: 7,
  checkout: 7,
  onboarding: 7,
  desk: 7.5,
  server: 8,
  // `svc serve` starts the server, so the command line stands on it.
  cli: 9
}

/** Packages outside the building: the SDK, which sees contracts only, and two that serve the tests. */
const OUTSIDE = ["client", "testkit", "bench"]
const FOR_TESTS = ["testkit", "bench"]

/** Benchmarks measure the machine's clock; everything else gets its time from a service. */
export const mayReadClock = (place: Place): boolean => place.package === "bench" || isTest(place)

/**
 * Whether a file holds what belongs to accounts, which may have a clock of their own: every package between the kernel and the server.
 * There the present moment is `now` of the kernel's `time.ts`, and where that of the world is meant, `realNow`.
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
  desk: ["model", "api"],
  // What the resource brings: it names all of its folder.
  resource: ["model", "rules", "api", "repository", "road", "provider", "service", "http", "jobs", "desk"]
}

/**
 * Files that count as a role under another name. A table of moves, what each status permits, what may be set and refusals are data, which
 * contracts show and rules consult.
 */
const COUNTS_AS: Readonly<Record<string, string>> = {
  errors: "model",
  machine: "model",
  permits: "model",
  roles: "model",
  settings: "model"
}

/**
 * The engine of a package: the pure rules of resources that are decided together, one part a resource, and the values they compute with.
 * The engine imports models alone, and these resources have no rules of their own, so that none imports the rules of another.
 */
const ENGINE = "engine"
const ENGINE_RESOURCES: ReadonlySet<string> = new Set(["billing-cycles", "invoices", "subscriptions"])
const ENGINE_VALUES: ReadonlySet<string> = new Set(["calendar", "dunning", "lines", "proration"])

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
  "refusals",
  "secret",
  // reconciliation
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
  place.package === "kernel" || !IMPLEMENTATIONS.has(resourceRoleOf(place) ?? place.path.split("/").at(-1)?.replace(/\.ts$/, "") ?? "")

export interface Place {
  readonly package: string
  /** Path below `src/`, with its ending. */
  readonly path: string
}

export const isTest = (place: Place): boolean => place.path.endsWith(".test.ts")

/** What tests of a folder share. */
export const isFixture = (place: Place): boolean => /(?:^|[./-])fixture\.ts$/.test(place.path)

export const isKnown = (name: string): boolean => FLOORS[name] !== undefined || OUTSIDE.includes(name)

/** Packages without resources, whose files have no roles. */
const WITHOUT_RESOURCES: ReadonlySet<string> = new Set(["kernel", "platform", "confined"])

/** The folder of a resource and the path in it. */
const inResource = ({ package: name, path }: Place): readonly [folder: string, part: string] | undefined => {
  const [folder, part] = path.split("/")
  return WITHOUT_RESOURCES.has(name) || OUTSIDE.includes(name) || folder === undefined || part === undefined
    ? undefined
    : [folder, part.replace(/\.ts$/, "")]
}

/** What a part of the engine counts as. */
const engineRole = (part: string): string => part === "road" ? "road" : ENGINE_VALUES.has(part) ? "model" : "rules"

/** The role of a file in the folder `resource/`, which holds what stands above the services: its own name says it. */
const roleAbove = ({ path }: Place): string => {
  const file = path.split("/")[2]
  return file === "http.ts" || file === "jobs.ts" ? file.slice(0, -".ts".length) : "resource"
}

/** The role of a file in a resource's folder. */
const resourceRoleOf = (place: Place): string | undefined => {
  const [folder, part = ""] = inResource(place) ?? []
  if (folder === ENGINE) return engineRole(part)
  const role = COUNTS_AS[part] ?? (part === "resource" ? roleAbove(place) : part)
  return ROLES[role] === undefined ? undefined : role
}

/** The role of a file: that which the package names for it, that of a resource, or that of the folder in its package. */
export const roleOf = (place: Place): string | undefined => {
  const own = isTest(place) || isFixture(place) ? undefined : ownRoleOf(place.package, place.path)
  return own?.named === true ? own.role : resourceRoleOf(place) ?? own?.role
}

/** Files of a package that have no role beside those of resources: what the package brings and promises, and its tables. */
const isOfPackage = (path: string): boolean => /^(?:layer|api)\.ts$|(?:^|\/)migrations\.ts$/.test(path)

/**
 * Why a file may not stand where it does, or undefined when it may. `isResource` says whether a folder of the package has
 * an `api.ts`: other folders, such as one of helpers, are free.
 */
export const misplaced = (place: Place, isResource: (folder: string) => boolean): string | undefined => {
  const isExempt = isTest(place) || isFixture(place) || isOfPackage(place.path)
  if (OWN_ROLES[place.package] !== undefined && roleOf(place) === undefined && !isExempt) {
    return `has no role in ${place.package}: name it in scripts/direction/own-roles.ts`
  }
  const [folder, part] = inResource(place) ?? []
  // What tests of the folder share is no part of the resource.
  const isFree = part === undefined || FREE.has(part) || /(^|\.)fixture$/.test(part) || isTest(place)
  if (folder !== undefined && ENGINE_RESOURCES.has(folder) && part === "rules") return `the rules of ${folder} stand in ${ENGINE}/`
  if (folder === undefined || isFree || !isResource(folder) || roleOf(place) !== undefined) return undefined
  return `${part} is no role of a resource: move what it holds to the role it has (${
    Object.keys(ROLES).join(", ")
  }, as a file or a folder), or add the name to scripts/direction/rules.ts`
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
  const isOwn = from.package === to.package
  // Another package's own roles are its own matter: floors say whether they may be imported.
  const other = isOwn ? roleOf(to) : ownRoleOf(to.package, to.path)?.named === true ? undefined : resourceRoleOf(to)
  const leavesEngine = inResource(from)?.[0] === ENGINE && (from.package !== to.package || inResource(to)?.[0] !== ENGINE)
  if (leavesEngine && !isTest(from) && to.package !== "kernel" && other !== "model") return "the engine imports models and the kernel alone"
  if (role === undefined || other === undefined) return undefined
  // A role of the package's own may import itself, and what the resource brings may be named from any of them.
  if (isOwn && (ROLES[role] === undefined ? other === role : role === "resource" && ROLES[other] === undefined)) return undefined
  if (ROLES[role]?.includes(other) === true || OWN_ROLES[from.package]?.imports[role]?.includes(other) === true) return undefined
  return `${role} may not import ${other}`
}
