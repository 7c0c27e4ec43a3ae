/** Who may import whom: packages stand on floors, files have roles. */

/** The floor of each package. A package imports from lower floors only. */
const FLOORS: Readonly<Record<string, number>> = {
  kernel: 1,
  accounts: 2,
  webhooks: 3,
  ledger: 3,
  payments: 4,
  treasury: 5,
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

/** Which roles a file of each role may import. Files without a role, such as helpers of one folder, are free. */
const ROLES: Readonly<Record<string, ReadonlyArray<string>>> = {
  model: ["model"],
  rules: ["model", "rules"],
  api: ["model", "api"],
  repository: ["model", "repository"],
  service: ["model", "rules", "repository", "service"],
  http: ["model", "api", "service"],
  jobs: ["model", "service"],
  // What the resource brings: it names all of its folder.
  resource: ["model", "rules", "api", "repository", "service", "http", "jobs"]
}

/** What stands behind a contract, and no customer of it may load. */
const IMPLEMENTATIONS: ReadonlySet<string> = new Set(["repository", "service", "http", "jobs", "resource", "layer"])

/** Whether the SDK may load this file, directly or by way of another one. */
export const isContract = (place: Place): boolean => !IMPLEMENTATIONS.has(place.path.split("/").at(-1)?.replace(/\.ts$/, "") ?? "") || place.package === "kernel"

export interface Place {
  readonly package: string
  /** Path below `src/`, with its ending. */
  readonly path: string
}

export const isTest = (place: Place): boolean => place.path.endsWith(".test.ts")

export const isKnown = (name: string): boolean => FLOORS[name] !== undefined || OUTSIDE.includes(name)

/** The role of a file in a resource's folder. The kernel has no resources. */
const roleOf = (place: Place): string | undefined => {
  const parts = place.path.split("/")
  const name = parts.at(-1)?.replace(/\.ts$/, "")
  return parts.length > 1 && place.package !== "kernel" && !OUTSIDE.includes(place.package) && name !== undefined && ROLES[name] !== undefined
    ? name
    : undefined
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
  return `${role}.ts may not import ${other}.ts`
}
