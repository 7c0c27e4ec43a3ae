/**
 * `expand[]`: what a resource refers to by an id is shown whole beside the id, as its own GET shows it. Each resource says its part once,
 * in its model:
 *
 *     // what is referred to: its schema, the scope that reads it, and whose layer finds many by their ids
 *     export class NotesById extends Context.Service<NotesById, ById<typeof NoteJson.Type>>()("@svc/notes/NotesById") {}
 *     export const noteKind = kind({ schema: NoteJson, scope: "notes:read", byId: NotesById })
 *     // what refers to it: `note_id` is a field of it, and `note` is what may be expanded
 *     export const taskExpansion = refersTo("note", noteKind)
 *     export const TaskJson = Schema.Struct({ ...Task.json.fields, ...taskExpansion.fields })
 *
 * Its endpoints spread `taskExpansion.query`, and its handlers use what `access/service.ts` of accounts makes of the expansion. Of more
 * references `both` makes one expansion. A kind that has an expansion of its own passes it on: `expand[]=task.note`.
 */
import { Effect, Record, Schema } from "effect"

/** How many references one path may follow. */
const DEEPEST = 3

/** Those of the account with these ids, in any order, by one query. Ids that nobody has, or somebody else, are left out. */
export type ById<A extends object> = (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>>

/** How the resources of a kind are found, and what they refer to themselves. */
interface Finder {
  readonly byId: ById<object>
  /** The field by which it is referred to. */
  readonly key: string
  readonly scope: string
  readonly inside: Finders
}
type Finders = ReadonlyMap<string, Finder>

/** What a resource refers to. `R` is needed to find it, `Path` is what may be asked for. */
export interface Expansion<Fields, R, Path extends string> {
  /** For the schema of the resource. */
  readonly fields: Fields
  readonly paths: ReadonlyArray<Path>
  readonly finders: Effect.Effect<Finders, never, R>
  /** For the query of an endpoint that shows the resource, or a list of it. */
  readonly query: { readonly "expand[]": ReturnType<typeof parameter<Path>> }
}

/** A kind of resource that others refer to. */
export interface Kind<S extends Schema.Top, R, Path extends string> {
  readonly schema: S
  readonly paths: ReadonlyArray<Path>
  readonly finder: Effect.Effect<Finder, never, R>
}

const parameter = <Path extends string>(paths: ReadonlyArray<Path>) => {
  const known = paths.map((path) => JSON.stringify(path)).join(", ")
  return Schema.optionalKey(
    Schema.Array(
      Schema.Literals(paths).annotate({
        message: `Expected what can be expanded here: ${known}. A path follows at most ${DEEPEST} references, joined by dots`
      })
    ).annotate({
      description: `What to show whole beside its id, in the field of this name: ${
        paths.map((path) => `\`${path}\``).join(", ")
      }. May be repeated. A restricted key needs the scope that reads it`
    })
  )
}

/** Paths that are short enough. */
type Within<Path extends string> = Path extends `${string}.${string}.${string}.${string}` ? never : Path
const isWithin = <Path extends string>(path: Path): path is Path & Within<Path> => path.split(".").length <= DEEPEST

const noFinders = Effect.succeed<Finders>(new Map())

/** What is said of a kind. `key` is the field by which others refer to it, where that is not its `id`: then `byId` finds by that. */
interface KindOf<S extends Schema.Codec<object, unknown>, R> {
  readonly schema: S
  readonly scope: string
  readonly byId: Effect.Effect<ById<S["Type"]>, never, R>
  readonly key?: string
}

/** A kind of resource, with what it refers to itself. */
export const kind = <S extends Schema.Codec<object, unknown>, R, Fields = unknown, R2 = never, Path extends string = never>(
  { byId, key = "id", schema, scope }: KindOf<S, R>,
  expansion?: Expansion<Fields, R2, Path>
): Kind<S, R | R2, Path> => ({
  schema,
  paths: expansion?.paths ?? [],
  finder: Effect.zipWith(byId, expansion?.finders ?? noFinders, (find, inside) => ({ byId: find, key, scope, inside }))
})

const expansionOf = <Fields, R, Path extends string>(
  { fields, finders, paths }: Omit<Expansion<Fields, R, Path>, "query">
): Expansion<Fields, R, Path> => ({ fields, finders, paths, query: { "expand[]": parameter(paths) } })

/** That a resource refers to one of this kind, by the id in its field `<name>_id`. */
export const refersTo = <const Name extends string, S extends Schema.Top, R, Path extends string>(
  name: Name,
  { finder, paths, schema }: Kind<S, R, Path>
) =>
  expansionOf({
    fields: Record.singleton(
      name,
      Schema.optionalKey(
        Schema.NullOr(schema).annotate({
          description: `That of \`${name}_id\`, whole, where \`expand[]=${name}\` asks for it; null when there is none`
        })
      )
    ),
    paths: [name, ...paths.map((path) => `${name}.${path}` as const)].filter(isWithin),
    finders: Effect.map(finder, (one): Finders => new Map([[name, one]]))
  })

/** Two references of one resource. */
export const both = <F1, R1, P1 extends string, F2, R2, P2 extends string>(one: Expansion<F1, R1, P1>, other: Expansion<F2, R2, P2>) =>
  expansionOf({
    fields: { ...one.fields, ...other.fields },
    paths: [...one.paths, ...other.paths],
    finders: Effect.zipWith(one.finders, other.finders, (a, b): Finders => new Map([...a, ...b]))
  })

/** The paths by the reference they begin with, each without it. */
const byFirst = (paths: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const path of paths) {
    const [first = "", ...rest] = path.split(".")
    const inside = found.get(first) ?? []
    found.set(first, rest.length === 0 ? inside : [...inside, rest.join(".")])
  }
  return found
}

const textIn = (row: object, field: string): string | undefined => {
  const value: unknown = Reflect.get(row, field)
  return typeof value === "string" ? value : undefined
}

/** One query a reference and level, two at a time: a list takes no more connections for its references than for itself (pages.ts). */
const expandWith = Effect.fnUntraced(function*<A extends object>(
  finders: Finders,
  account: string,
  rows: ReadonlyArray<A>,
  paths: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<A>> {
  const wanted = Array.from(byFirst(paths)).flatMap(([name, inside]) => {
    const finder = finders.get(name)
    return finder === undefined ? [] : [{ name, inside, finder }]
  })
  const shown = yield* Effect.forEach(
    wanted,
    Effect.fnUntraced(function*({ finder, inside, name }) {
      const ids = Array.from(new Set(rows.flatMap((row) => textIn(row, `${name}_id`) ?? [])))
      const found = ids.length === 0 ? [] : yield* finder.byId(account, ids)
      const whole = yield* expandWith(finder.inside, account, found, inside)
      return { name, whole: new Map(whole.map((one) => [textIn(one, finder.key), one])) }
    }),
    { concurrency: 2 }
  )
  if (shown.length === 0) return rows
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(shown.map(({ name, whole }) => [name, whole.get(textIn(row, `${name}_id`)) ?? null]))
  }))
})

const scopesWith = (finders: Finders, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(byFirst(paths)).flatMap(([name, inside]) => {
    const finder = finders.get(name)
    return finder === undefined ? [] : [finder.scope, ...scopesWith(finder.inside, inside)]
  })

/** An expansion with what finds its references. */
export interface Expander<Path extends string> {
  /** The scopes that read what these paths show. */
  readonly scopes: (paths: ReadonlyArray<Path>) => ReadonlyArray<string>
  /** The account's resources with what they refer to at these paths. */
  readonly expand: <A extends object>(
    account: string,
    rows: ReadonlyArray<A>,
    paths: ReadonlyArray<Path>
  ) => Effect.Effect<ReadonlyArray<A>>
}

export const expander = <Fields, R, Path extends string>(
  { finders }: Expansion<Fields, R, Path>
): Effect.Effect<Expander<Path>, never, R> =>
  Effect.map(finders, (found) => ({
    scopes: (paths) => scopesWith(found, paths),
    expand: (account, rows, paths) => expandWith(found, account, rows, paths)
  }))
