import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { fromJsonText } from "./json-codec.ts"
import { doubledName, parseJson } from "./json.ts"

const runs = { arbitrary: { runs: 2000 } }

/** A text in units, most of which can or must be written with an escape. Few of them, so that many names begin alike. */
const Text = Schema.Union([
  Schema.Array(
    Schema.Literals([
      "a",
      "\\",
      "\"",
      "\n",
      "\t",
      "/",
      "u",
      "\0",
      "\u001f",
      "\u2028",
      "\ufeff",
      "é",
      "\ud83d",
      "\ude00",
      " ",
      ":",
      ",",
      "{",
      "}"
    ])
  ).check(Schema.isMaxLength(5)),
  Schema.Literals(["__proto__", "constructor", "toString", "0", "10", "-1"])
])
type Text = typeof Text.Type
const unitsOf = (text: Text): ReadonlyArray<string> => typeof text === "string" ? text.split("") : text

/** A value of JSON as it may be written: an object may have a name twice. */
type Node = null | boolean | number | { readonly text: Text } | { readonly items: ReadonlyArray<Node> } | {
  readonly members: ReadonlyArray<readonly [Text, Node]>
}
const Node: Schema.Codec<Node> = Schema.Union([
  Schema.Null,
  Schema.Boolean,
  Schema.Finite,
  Schema.Struct({ text: Text }),
  Schema.Struct({ items: Schema.Array(Schema.suspend(() => Node)) }),
  Schema.Struct({ members: Schema.Array(Schema.Tuple([Text, Schema.suspend(() => Node)])) })
])

const valueOf = (node: Node): unknown => {
  if (typeof node !== "object" || node === null) return node
  if ("text" in node) return unitsOf(node.text).join("")
  if ("items" in node) return node.items.map(valueOf)
  return Object.fromEntries(node.members.map(([name, item]) => [unitsOf(name).join(""), valueOf(item)]))
}

const SHORT: Readonly<Record<string, string>> = {
  "\"": "\\\"",
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t"
}

/** Numbers from a seed, the same each time. */
const choices = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}
type Choose = ReturnType<typeof choices>

const writtenUnit = (unit: string, choose: Choose): string => {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, "0")
  const ways = [
    `\\u${hex}`,
    `\\u${hex.toUpperCase()}`,
    ...(unit in SHORT ? [SHORT[unit]] : []),
    ...(/[\0-\x1f"\\]/.test(unit) ? [] : [unit, unit])
  ]
  return ways[choose(ways.length)] ?? ""
}

/** One of the ways to write a value, white space included. */
const written = (node: Node, choose: Choose): string => {
  const space = () => ["", "", " ", "\n\t", "\r "][choose(5)] ?? ""
  const text = (units: Text) => `"${unitsOf(units).map((unit) => writtenUnit(unit, choose)).join("")}"`
  const inner = (): string => {
    if (typeof node !== "object" || node === null) return Object.is(node, -0) ? "-0" : String(node)
    if ("text" in node) return text(node.text)
    if ("items" in node) return `[${node.items.map((item) => written(item, choose)).join(",") || space()}]`
    return `{${node.members.map(([name, item]) => `${space()}${text(name)}${space()}:${written(item, choose)}`).join(",") || space()}}`
  }
  return `${space()}${inner()}${space()}`
}

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 }))

/** The text with an escaped name around it, so that it is not V8 that reads it. */
const around = (text: string) => `{"\\u0061":${text}}`
const within = (text: string): unknown => Object.values(Object(parseJson(around(text))))[0]

const read = (parse: (text: string) => unknown, text: string) =>
  Result.try({ try: () => ({ value: parse(text) }), catch: (error) => error instanceof SyntaxError ? "refused" : error })

describe("a JSON text", () => {
  it.prop("is what its spelling says, whatever was read before it", [Node, Seed], ([node, seed]) => {
    const text = written(node, choices(seed))
    const [found, expected] = [parseJson(text), valueOf(node)]
    assert.deepStrictEqual(found, expected)
    assert.deepStrictEqual(within(text), expected)
    // The order of names, which is that of their first places.
    assert.strictEqual(JSON.stringify(found), JSON.stringify(expected))
  }, runs)

  it.for(
    [
      ["\"", "\\\""],
      ["\n", "\\n"],
      ["\r", "\\r"],
      ["\t", "\\t"],
      ["/", "\\/"],
      ["\u0001", "\\u0001"],
      ["é", "\\u00e9"],
      ["😀", "\\ud83d\\ude00"],
      ["\ud83d", "\\ud83d"]
    ] as const
  )("with the name a%j is not taken for one with a backslash, whose shape V8 knows", ([meant, sent], { task }) => {
    // V8 expects the one name that it has seen behind this one.
    for (const [at, space] of ["", " ", "\t", "\n", "\r", " \r\n\t "].entries()) {
      const first = `${task.id} ${at}`
      JSON.parse(`{"${first}":1,"a\\\\":2}`)
      assert.deepStrictEqual(parseJson(`{"${first}":1,"a${sent}"${space}:2}`), { [first]: 1, [`a${meant}`]: 2 })
    }
  })

  it("keeps a member called __proto__, and of a name that stands twice the last value", () => {
    for (const name of ["__proto__", String.raw`__pr\u006fto__`]) {
      const found = parseJson(`{"a":1,"${name}":{"b":2},"a":3}`)
      assert.deepStrictEqual(Object.entries(Object(found)), [["a", 3], ["__proto__", { b: 2 }]])
      assert.strictEqual(Object.getPrototypeOf(found), Object.prototype)
    }
    for (const [one, other] of [["0", "-0"], ["[]", "{}"], ["{\"x\":1}", "{}"]] as const) {
      assert.deepStrictEqual(within(`{"a":${one},"a":${other}}`), { a: JSON.parse(other) })
    }
  })
})

const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "\"",
  "\\",
  "/",
  "\\u",
  "\\u00",
  "\\x",
  "a",
  "0",
  "1",
  "-",
  "+",
  ".",
  "e",
  "E",
  "e5",
  "01",
  "1.",
  ".5",
  "-0",
  "1e400",
  "0x1",
  "true",
  "nul",
  "null",
  "NaN",
  "Infinity",
  "undefined",
  "'",
  "''",
  " ",
  "\t",
  "\n",
  "\0",
  "\u000b",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "//",
  "/**/",
  "#",
  "\"a\"",
  "\"a\":",
  "{}",
  "[]",
  "\ud83d",
  "\u0001",
  "\u007f",
  "`",
  "1,",
  ",1",
  "[1,]",
  "{\"a\":1,}"
]

describe("a name that stands twice in one object", () => {
  const doubled = (text: string) => doubledName(text, parseJson(text))

  it.each([
    ["{\"amount\":1,\"amount\":2}", "amount"],
    ["{\"a\":{\"b\":[{\"c\":1, \"c\" : 1}]}}", "c"],
    ["{\"a\":1,\"\\u0061\":2}", "a"],
    ["{\"__proto__\":1,\"__proto__\":2}", "__proto__"],
    ["{\"\":1,\"\":2}", ""],
    ["{\"a\\\\\":1,\"a\\\\\":2}", "a\\"]
  ])("%s", (text, name) => assert.strictEqual(doubled(text), name))

  it.each([
    "{\"a\":{\"a\":{\"a\":[]}},\"b\":\"a\"}",
    "[{\"a\":1},{\"a\":1}]",
    "{\"a\":\"\\\":\",\"b\":\"\\\\\",\"c\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}",
    "\"a\"",
    "[]",
    "{\"__proto__\":1}",
    "{\"a\":\"\\\\\\\"\",\"b\" : 1}"
  ])("and not: %s", (text) => assert.isUndefined(doubled(text)))

  it.prop("is none in what is written from a value", [Schema.Json], ([value]) => {
    for (const space of [0, 2]) assert.isUndefined(doubledName(JSON.stringify(value, undefined, space), value))
  }, { arbitrary: { runs: 500 } })
})

describe("what is no JSON", () => {
  const Change = Schema.Tuple([Seed, Schema.Literals(PIECES), Schema.Literals(["insert", "replace", "delete"])])
  const changed = (text: string, [at, piece, kind]: typeof Change.Type) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + (kind === "delete" ? "" : piece) + text.slice(kind === "insert" ? from : from + 1)
  }

  it.prop("is refused where JSON.parse refuses it, and nowhere else", [
    Node,
    Seed,
    Schema.Array(Change).check(Schema.isBetweenLength(1, 3))
  ], ([node, seed, changes]) => {
    const text = changes.reduce(changed, written(node, choices(seed)))
    const native = read(JSON.parse, text)
    for (const ours of [read(parseJson, text), read(within, text)]) {
      assert.strictEqual(ours._tag, native._tag, JSON.stringify(text))
      if (Result.isFailure(ours)) assert.strictEqual(ours.failure, "refused")
      // Without an escape V8 reads every name as it is.
      if (Result.isSuccess(ours) && Result.isSuccess(native) && !text.includes("\\")) assert.deepStrictEqual(ours.success, native.success)
    }
  }, runs)

  it.for([
    ...PIECES,
    "",
    " ",
    "[",
    "[1",
    "[1 2]",
    "[1,,2]",
    "{\"a\"}",
    "{\"a\" 1}",
    "{\"a\":}",
    "{a:1}",
    "{,}",
    "{\"a\":1,,\"b\":2}",
    "1 2",
    "{}{}",
    "\"\\u12g4\"",
    "\"\\ud83d",
    "\"a\nb\"",
    "-",
    "--1",
    "1e+",
    "1.e1",
    "tru",
    "\"a",
    "[}",
    "{]",
    "[1/**/]",
    "[1]//",
    "{\"a\"://\n1}"
  ])("alone, %j is read or refused as JSON.parse does it", (text) => {
    const native = read(JSON.parse, text)
    assert.deepStrictEqual(read(parseJson, text), native)
    // Between braces some of them are something else.
    if (!/^[,}]|^$/.test(text.trim())) assert.deepStrictEqual(read(within, text), native)
  })
})

describe("size", () => {
  const nested = (open: string, depth: number, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`

  it("does not matter to the stack: with escaped names a thousand levels are read, and more are refused", () => {
    assert.doesNotThrow(() => parseJson(nested("{\"\\n\":", 1000, "}")))
    for (const depth of [1001, 100_000, 500_000]) {
      assert.throws(() => parseJson(nested("{\"\\n\":", depth, "}")), SyntaxError, "nested more than 1000 deep")
      assert.throws(() => parseJson(around(nested("[", depth, "]"))), SyntaxError, "nested more than 1000 deep")
    }
    assert.doesNotThrow(() => parseJson(nested("[", 100_000, "]")))
  })

  it("costs time in proportion, whatever the text", () => {
    const size = 1_000_000
    const filled = (before: string, piece: string, after: string) => before + piece.repeat(Math.ceil(size / piece.length)) + after
    for (
      const text of [
        filled("{\"a\":\"", "\\\"", "\"}"),
        filled("{\"a\":\"", "\\\"", ""),
        filled("", "\\", ""),
        filled("", "\"", "\\"),
        filled("[", "\"\\n\"    ", "]"),
        filled("{\"\\n\"", " ", ":1}"),
        filled("{\"\\n\"", " ", ""),
        filled("{", "\"\\n\":1,", "\"a\":1}"),
        filled("{\"\\n\":[", "1,", "1]}"),
        filled("{\"\\n\":[", "\"\",", "1]}"),
        filled("{\"\\n\":\"", "\\\\", "\"}"),
        filled("{\"", "\\u0061", "\":1}")
      ]
    ) read(parseJson, text)
  })
})

describe("a schema of JSON text", () => {
  const Member = fromJsonText(Schema.Struct({ "a\"": Schema.NumberFromString }))
  it("reads what the schema reads, and writes it", () => {
    assert.deepStrictEqual(Schema.decodeSync(Member)(String.raw`{"a\u0022":"1"}`), { "a\"": 1 })
    assert.strictEqual(Schema.encodeSync(Member)({ "a\"": 1 }), String.raw`{"a\"":"1"}`)
  })
  it.for(["", "{", "{\"a\":\"1\"}", "[]"])("refuses %j", (text) => {
    assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(Member)(text)))
  })
})
