/** The type of columns that hold sealed text. */
import { type Migrations, statements } from "../database/migrations.ts"

export const migrations: Migrations = {
  // By its type a sealed column is found wherever it is: see rotation.ts.
  "26112411_sealed": statements(`CREATE DOMAIN sealed AS jsonb CHECK (VALUE IS NULL OR (VALUE ? 'key' AND VALUE ? 'box'))`)
}
