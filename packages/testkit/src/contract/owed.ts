/**
 * What a resource that emits events or posts to the ledger owes besides its own folder. CONTRIBUTING.md tells of it; a test lists what
 * is missing.
 */

export interface ResourceSources {
  /** Such as `payments/settlements`. */
  readonly folder: string
  /** The code of the folder, tests aside. */
  readonly code: string
  /** The code of its `resource.ts`. */
  readonly resource: string
  /** The types of the events that it declares. */
  readonly events: ReadonlyArray<string>
}

/** Resources whose rows say nothing of their entries' amounts, and why. The list only shrinks. */
export const withoutBooks: Readonly<Record<string, string>> = {
  "payments/quotes": "its entry is a memo, which moves no money",
  "reconciliation/mismatches": "its entries correct those of other resources",
  "metering/tool-calls": "its entry names what a call took of credits, which were paid for when they were bought"
}

const POSTS = /import \{[^}]*\bpost\b[^}]*\} from "@svc\/ledger\/financial-events\/routes"/u
const BOOKS = /\b(?:agreement|stateCheck)\(/u
const LOG = /\blogged\(/u

const withoutLog = "emits events, and the log does not hold its table: add logged({ table, resource_type, shown }) of " +
  "@svc/webhooks/log/logged to its resource.ts"
const withoutCause = "add its cause to packages/cli/src/triggers, and a new file to packages/cli/src/commands/trigger.ts"
const withoutCheck = "posts to the ledger, and nothing compares its rows with its entries: add agreement or stateCheck of " +
  "@svc/ledger/state-checks to its resource.ts"
const needless = "need not be excepted any more: take it out of withoutBooks"

/** What is missing, by resource, with what to add. */
export const missingOf = (
  resources: ReadonlyArray<ResourceSources>,
  causes: ReadonlySet<string>,
  excepted: Readonly<Record<string, string>>
): ReadonlyArray<string> =>
  resources.flatMap(({ code, events, folder, resource }) => {
    const isExcepted = excepted[folder] !== undefined
    const owesBooks = POSTS.test(code) && !BOOKS.test(resource)
    return [
      ...(events.length > 0 && !LOG.test(resource) ? [`${folder} ${withoutLog}`] : []),
      ...events.filter((type) => !causes.has(type)).map((type) => `${folder}: nothing causes ${type}: ${withoutCause}`),
      ...(owesBooks && !isExcepted ? [`${folder} ${withoutCheck}`] : []),
      ...(isExcepted && !owesBooks ? [`${folder} ${needless}`] : [])
    ]
  })
