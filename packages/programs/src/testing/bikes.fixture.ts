/** A shop with a server and an interface of React, for programs that make something of routes, models and components. */
import type { Texts } from "./measures.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

export const bikes: Texts = {
  "package.json": lines(
    "{",
    "  \"name\": \"bikes\",",
    "  \"version\": \"2.3.0\",",
    "  \"description\": \"Lends bicycles by the hour.\",",
    "  \"main\": \"./src/rentals.ts\",",
    "  \"dependencies\": { \"express\": \"^5.1.0\", \"react\": \"^19.0.0\" },",
    "  \"devDependencies\": { \"vitest\": \"^5.0.0\" }",
    "}"
  ),
  "README.md": lines(
    "# Bikes",
    "",
    "Lends bicycles of three stations.",
    "",
    "![Map](docs/stations.png)",
    "",
    "`/rentals` lists what is lent."
  ),
  "src/model.ts": lines(
    "/** A bicycle that somebody has. */",
    "export interface Rental {",
    "  readonly id: string",
    "  readonly bike: string",
    "  readonly minutes: number",
    "  readonly returned?: boolean",
    "}"
  ),
  "src/server.ts": lines(
    "import express from \"express\"",
    "import { endRental, findRentals, forgetRental } from \"./rentals.ts\"",
    "",
    "export const app = express()",
    "",
    "app.get(\"/api/rentals\", findRentals)",
    "app.post(\"/api/rentals/:rentalId/end\", endRental)",
    "app.delete(\"/api/rentals/:rentalId\", forgetRental)",
    "app.get(\"/api/stations/:key\", (request, response) => response.json({ name: request.params.key }))"
  ),
  "src/rentals.ts": lines(
    "import pg from \"pg\"",
    "import type { Rental } from \"./model.ts\"",
    "",
    "const pool = new pg.Pool({ connectionString: process.env.RENTALS_DATABASE })",
    "",
    "/** Lists what is lent. */",
    "export function findRentals(): Promise<ReadonlyArray<Rental>> {",
    "  return pool.query(\"SELECT * FROM rentals\")",
    "}",
    "",
    "export function endRental(id: string) {",
    "  // TODO charge minutes beyond the first hour",
    "  if (id === \"\") throw new RangeError(\"a rental has an id\")",
    "  return pool.query(\"UPDATE rentals SET returned = true WHERE id = $1\", [id])",
    "}",
    "",
    "export function forgetRental(id: string) {",
    "  try {",
    "    return pool.query(\"DELETE FROM rentals WHERE id = $1\", [id])",
    "  } catch (error) {",
    "    return undefined",
    "  }",
    "}"
  ),
  "src/RentalCard.tsx": lines(
    "import type { Rental } from \"./model.ts\"",
    "",
    "export function RentalCard({ bike, minutes = 0 }: { bike: string; minutes?: number }) {",
    "  return <p>{bike}: {minutes}</p>",
    "}",
    "",
    "export const key = (rental: Rental) => rental.id"
  ),
  "src/App.tsx": lines(
    "import { RentalCard } from \"./RentalCard.tsx\"",
    "",
    "export const App = () => <main><RentalCard bike=\"red\" /></main>"
  ),
  "test/rentals.test.ts": lines(
    "import { expect, it } from \"vitest\"",
    "import { endRental } from \"../src/rentals.ts\"",
    "",
    "it(\"refuses a rental without an id\", () => {",
    "  expect(() => endRental(\"\")).toThrow(RangeError)",
    "})"
  )
}
