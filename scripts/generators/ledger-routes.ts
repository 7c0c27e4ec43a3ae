/** The table of routes in the ledger's README, from the table that the code, the database and every check of a ledger use. */
import { legs, type RouteLeg } from "@svc/ledger/financial-events/routes"

const BEGIN = "<!-- Routes: written by npm run generate. -->"
const END = "<!-- End of the routes. -->"

const signOf = (sign: 1 | -1): string => sign === 1 ? "+" : "−"
const moved = (sign: RouteLeg["split"]): string => sign === undefined ? "" : `${signOf(sign)}A`

/** Available and pending share a split amount: p of it goes through pending. */
const splitOf = ({ mixed, split }: RouteLeg): readonly [available: string, pending: string] | undefined => {
  if (split === undefined) return undefined
  const sign = signOf(split)
  return mixed === true ? [`${sign}(A − p)`, `${sign}p`] : [`${sign}A or 0`, `0 or ${sign}A`]
}

/** Who has the amount before and after. */
const way = (leg: RouteLeg): string => {
  if (leg.counter === "MEMO") return "memo"
  const signs = [["available", leg.available ?? leg.split], ["pending", leg.pending ?? leg.split], ["reserved", leg.reserved], [
    leg.counter,
    leg.counterSign
  ]] as const
  // The platform's account gains what the merchant loses.
  const having = (sign: 1 | -1) => signs.filter(([, its]) => its === sign).map(([name]) => name).join(leg.mixed === true ? ", " : " or ")
  return `${having(-1)} → ${having(1)}`
}

const line = ([name, leg]: readonly [string, RouteLeg]): string => {
  const [event, which] = name.split("/")
  const [available, pending] = splitOf(leg) ?? [moved(leg.available), moved(leg.pending)]
  return `| ${
    [event + (which === undefined ? "" : ` (${which})`), leg.direction, way(leg), available, pending, moved(leg.reserved)].join(" | ")
  } |`
}

const table = (): string =>
  ["| Event | Direction | From → to | Δ available | Δ pending | Δ reserved |", "|---|---|---|---|---|---|", ...Array.from(legs, line)].join(
    "\n"
  )

/** The page with the table of today between its two marks. Throws when a mark is missing. */
export const withRoutes = (page: string): string => {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`the ledger's README has no place for its routes: put "${BEGIN}" and "${END}" around it`)
  return `${page.slice(0, from)}${BEGIN}\n${table()}\n${page.slice(to)}`
}
