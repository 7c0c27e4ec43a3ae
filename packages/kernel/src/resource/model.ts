/**
 * A resource is declared once: the fields of its row, of which `Model.Sensitive` ones never leave the service. Its values are plain
 * objects, because rules copy them: V8 keeps the copy of a large instance of a class as a dictionary, which is seven times as slow to make.
 */
import { Schema } from "effect"
import { Model, type VariantSchema } from "effect/schema"
import { columnsOf } from "../database/columns.ts"
import { type Encoded, encoderOf, rememberingLast } from "../database/encoded.ts"
import type { Table, Write } from "../road/decision.ts"
import { Timestamp } from "../values/time.ts"

/** The columns that every resource has besides its id and its account. */
export const versioned = { created_at: Timestamp, updated_at: Timestamp, version: Schema.Int }

/** The schema of a resource as it is stored; `json` is the schema of what the API shows. */
export const resource = <const Fields extends VariantSchema.Struct.Fields>(
  fields: Fields & VariantSchema.Struct.Validate<Fields, Variant>
) => {
  const variants = Model.Struct<Fields>(fields)
  return Object.assign(Model.extract(variants, "select"), { json: Model.extract(variants, "json") })
}

type Variant = Model.VariantsDatabase | Model.VariantsJson

/** The table of a resource, with the way from a row to the resource and back. */
export interface ResourceTable<R> extends Table {
  readonly isId: (text: string) => boolean
  readonly accountOf: (resource: R) => string
  readonly decode: (row: unknown) => R
  /** The row, and the text of the wire. A commit mostly needs both of one value, so that the last one is remembered. */
  readonly encode: (resource: R) => Encoded
  readonly write: (resource: R) => Write
}

type AccountColumn = Table["account"]

type Owned<Account extends AccountColumn> = { readonly id: string; readonly version: number } & Readonly<Record<Account, string>>

interface Stored<Account extends AccountColumn> extends Schema.Codec<Owned<Account>, unknown> {
  readonly fields: Readonly<Record<string, Schema.Top>> & { readonly id: Schema.Codec<string, string> }
  readonly json: { readonly fields: Readonly<Record<string, Schema.Top>> }
}

/** The table of this schema's values: its columns are the fields. */
export const tableOf = <S extends Stored<Account>, const Account extends AccountColumn>(
  schema: S,
  named: Omit<Table, "columns" | "shown"> & { readonly account: Account }
): ResourceTable<S["Type"]> => {
  const decodeRow = Schema.decodeUnknownSync(schema)
  const encode = rememberingLast(encoderOf<S["Type"]>(schema))
  const columns = columnsOf(schema)
  const table = { ...named, columns, shown: Object.keys(columns).filter((column) => column in schema.json.fields) }
  return {
    ...table,
    isId: Schema.is(schema.fields.id),
    accountOf: (value) => value[named.account],
    // What a decoder makes, property after property, V8 keeps as a dictionary; a copy of it has fast properties again.
    decode: (row) => ({ ...decodeRow(row) }),
    encode,
    write: (value) => ({ table, row: encode(value).row })
  }
}
