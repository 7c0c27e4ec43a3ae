/** Replacing services in an application of three floors: two services above one in the middle, and that one on a repository. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Schema } from "effect"
import { replacing, replacingWithin } from "./replacing.ts"

class Missing extends Schema.TaggedError<Missing>()("Missing", { id: Schema.String }) {}

class Rows extends Context.Service<Rows, { readonly find: (id: string) => Effect.Effect<string, Missing> }>()("replacing.test/Rows") {}
class Names extends Context.Service<Names, {
  readonly limit: number
  readonly nameOf: (id: string) => Effect.Effect<string, Missing>
  readonly rename: (id: string) => Effect.Effect<void>
}>()("replacing.test/Names") {}
class Letters extends Context.Service<Letters, { readonly write: Effect.Effect<string, Missing> }>()("replacing.test/Letters") {}
class Labels extends Context.Service<Labels, { readonly print: Effect.Effect<string, Missing> }>()("replacing.test/Labels") {}
class Marks extends Context.Service<Marks, ReadonlySet<string>>()("replacing.test/Marks") {}
class Elsewhere extends Context.Service<Elsewhere, { readonly visit: Effect.Effect<void> }>()("replacing.test/Elsewhere") {}

const rows = Layer.succeed(Rows, { find: (id) => Effect.succeed(`row of ${id}`) })
const names = Layer.effect(
  Names,
  Effect.map(
    Rows,
    ({ find }) => ({ limit: 10, nameOf: (id) => Effect.map(find(id), (row) => `name in ${row}`), rename: () => Effect.void })
  )
)
const letters = Layer.effect(Letters, Effect.map(Names, ({ nameOf }) => ({ write: Effect.map(nameOf("a"), (name) => `Dear ${name}`) })))
const labels = Layer.effect(Labels, Effect.map(Names, ({ nameOf }) => ({ print: nameOf("b") })))

/** Rows are kept within. */
const app = Layer.merge(letters, labels).pipe(
  Layer.provideMerge(names),
  Layer.provide(rows),
  Layer.provideMerge(Layer.succeed(Marks, new Set(["!"])))
)

const both = Effect.all([Letters.use(({ write }) => write), Labels.use(({ print }) => print)])

describe("a replaced service", () => {
  it.effect("in the middle is seen by both services above it, and by the test", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* both, ["Dear A", "B"])
      assert.strictEqual(yield* Names.use(({ nameOf }) => nameOf("c")), "C")
    }).pipe(Effect.provide(app.pipe(replacing(Names, { limit: 1, nameOf: (id) => Effect.succeed(id.toUpperCase()) })))))

  it.effect("that a part keeps to itself is replaced as well", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Effect.flip(both), new Missing({ id: "a" }))
    }).pipe(Effect.provide(app.pipe(replacingWithin(Rows, { find: (id) => new Missing({ id }) })))))

  it.effect("is made of the real one, once for all who use it", () => {
    let made = 0
    const counting = app.pipe(replacing(Names, (real) => {
      made++
      return { ...real, nameOf: (id) => Effect.map(real.nameOf(id), (name) => `${name}!`) }
    }))
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* both, ["Dear name in row of a!", "name in row of b!"])
      assert.strictEqual(made, 1)
      assert.isUndefined(yield* Names.use(({ rename }) => rename("a")))
    }).pipe(Effect.provide(counting))
  })

  it.effect("dies with its name and that of the member where the test says nothing", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(both)
      assert(Exit.isFailure(exit))
      const [reason] = exit.cause.reasons
      assert(reason !== undefined && Cause.isDieReason(reason))
      assert.include(String(reason.defect), "replacing.test/Names: Unimplemented method \"nameOf\"")
    }).pipe(Effect.provide(app.pipe(replacing(Names, { limit: 1 })))))

  it.effect("may be a Set, an array or an instance", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(Array.from(yield* Marks), ["?"])
    }).pipe(Effect.provide(app.pipe(replacing(Marks, new Set(["?"]))))))

  it.effect("stays replaced in an application that stands on the one with it", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Elsewhere.use(({ visit }) => visit), undefined)
      assert.deepStrictEqual(yield* both, ["Dear x", "x"])
    }).pipe(Effect.provide(
      Layer.succeed(Elsewhere, { visit: Effect.void }).pipe(
        Layer.provideMerge(app.pipe(replacing(Names, { limit: 1, nameOf: () => Effect.succeed("x") }))),
        replacing(Marks, new Set<string>())
      )
    )))

  it.effect("is replaced or changed again by the next line", () => {
    const replaced = app.pipe(
      replacing(Names, (real) => ({ ...real, nameOf: (id) => Effect.map(real.nameOf(id), (name) => `${name} 1`) })),
      replacing(Names, (real) => ({ ...real, nameOf: (id) => Effect.map(real.nameOf(id), (name) => `${name} 2`) }))
    )
    const constant = (text: string) => ({ limit: 1, nameOf: () => Effect.succeed(text) })
    return Effect.gen(function*() {
      const expected = ["Dear name in row of a 1 2", "name in row of b 1 2"]
      assert.deepStrictEqual(yield* Effect.provide(both, replaced), expected)
      assert.deepStrictEqual(yield* Effect.provide(Names.use(({ nameOf }) => nameOf("c")), replaced), "name in row of c 1 2")
      const last = app.pipe(replacing(Names, constant("first")), replacing(Names, constant("last")))
      assert.deepStrictEqual(yield* Effect.provide(both, last), ["Dear last", "last"])
      assert.deepStrictEqual(yield* Effect.provide(Names.use(({ nameOf }) => nameOf("c")), last), "last")
    })
  })

  it.effect("is not missed where the same layers were built before without it", () =>
    Effect.gen(function*() {
      const replaced = app.pipe(replacing(Names, { limit: 1, nameOf: () => Effect.succeed("x") }))
      assert.deepStrictEqual(yield* Effect.provide(both, replaced), ["Dear x", "x"])
      assert.deepStrictEqual(yield* both, ["Dear name in row of a", "name in row of b"])
    }).pipe(Effect.provide(app)))

  it.effect("that no layer provides is refused when the application is built", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Effect.provide(both, app.pipe(replacingWithin(Elsewhere, {}))))
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "replacing.test/Elsewhere is not replaced: no layer of this application provides it")
    }))

  it("does not compile for a service that the application does not provide, nor with another shape", () => {
    // @ts-expect-error the application does not provide it
    app.pipe(replacing(Elsewhere, { visit: Effect.void }))
    // @ts-expect-error nor does it provide what it keeps to itself
    app.pipe(replacing(Rows, {}))
    // @ts-expect-error a name is a string
    app.pipe(replacing(Names, { limit: 1, nameOf: () => Effect.succeed(1) }))
    // @ts-expect-error the failure is another one
    // @effect-diagnostics-next-line missingEffectError:off
    app.pipe(replacing(Names, { limit: 1, nameOf: () => Effect.fail("no") }))
    // @ts-expect-error there is no such member
    app.pipe(replacing(Names, { limit: 1, surname: () => Effect.succeed("x") }))
    // @ts-expect-error what is no effect cannot be left out
    app.pipe(replacing(Names, {}))
    // @ts-expect-error a function that returns another shape
    app.pipe(replacing(Names, () => ({ limit: 1, nameOf: () => Effect.succeed(1) })))
  })
})
