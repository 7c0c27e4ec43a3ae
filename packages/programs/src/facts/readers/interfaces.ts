/** What a project says to others in schemas. */
import type { Reader } from "../model.ts"
import { braces } from "./interfaces/braces.ts"
import { schemaFiles } from "./interfaces/schema.ts"
import { sql } from "./interfaces/sql.ts"

export const interfaces: ReadonlyArray<Reader> = [schemaFiles, sql, ...braces]
