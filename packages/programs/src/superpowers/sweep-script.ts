/**
 * The part of `redundancy-sweep.mjs` that is the same in every repository: it reads JavaScript and TypeScript by tokens, so that words in
 * strings and comments are none. It holds no backtick, so that it can stand in one here.
 */
export const SWEEP = String.raw`
const CODE = /\.[cm]?[jt]sx?$/
const PAGE = /\.(?:vue|svelte|astro|mdx|html)$/
const NAMING = /\.(?:json|ya?ml|toml|sh|html)$|(?:^|\/)(?:Makefile|Dockerfile|Procfile)$/
const ENDINGS = ["", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs"].flatMap((ending) => [ending, "/index" + ending])
const SMALLEST = 40

const tolerant = process.argv.includes("--new")
const root = process.argv.slice(2).find((word) => !word.startsWith("--")) ?? "."

const walk = (folder) =>
  readdirSync(posix.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) || entry.name === ".git" ? [] : walk(path)
    return entry.isFile() ? [path] : []
  })

const SPACE = /(?:\s|\/\/.*|\/\*[^]*?\*\/)+/y
const NAME = /[#@]?[\p{L}_$][\p{L}\p{N}_$]*/uy
const STRING = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y
const CHUNK = /(?:[^\x60\\$]|\\[^]|\$(?!\{))*(?:\x60|\$\{)?/y
const REGEX = /\/(?:[^\/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const OTHER = /\d[\w.]*|=>|\.\.\.|[^]/uy
const BEFORE_REGEX = new Set(["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await", "yield"])

const tokenize = (text) => {
  const tokens = []
  const open = []
  let [at, line] = [0, 1]
  const take = (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ""
    at += found.length
    return found
  }
  const push = (kind, value) => {
    if (value === "") return false
    if (kind !== "space") tokens.push({ kind, value, line })
    line += value.split("\n").length - 1
    return true
  }
  const mayBeRegex = () => {
    const last = tokens.at(-1)
    if (last === undefined) return true
    return last.kind === "name" ? BEFORE_REGEX.has(last.value) : last.kind === "other" && !/^(?:[)\]}]|\d.*)$/.test(last.value)
  }
  while (at < text.length) {
    if (push("space", take(SPACE))) continue
    const resumes = text[at] === "}" && open.at(-1) === "template"
    if (text[at] === "\x60" || resumes) {
      if (resumes) open.pop()
      at += 1
      const chunk = take(CHUNK)
      if (chunk.endsWith("{")) open.push("template")
      push("template", "\x60" + chunk)
      continue
    }
    if (push("name", take(NAME)) || push("string", take(STRING)) || (mayBeRegex() && push("regex", take(REGEX)))) continue
    const other = take(OTHER)
    if (other === "{") open.push(other)
    if (other === "}") open.pop()
    push("other", other)
  }
  return tokens
}

const PAIRS = { "(": ")", "[": "]", "{": "}" }

/** For each opening token the place of the one that closes it. A template that breaks off opens, and closes where it goes on. */
const pairsOf = (tokens) => {
  const [pairs, open] = [new Map(), []]
  tokens.forEach(({ kind, value }, at) => {
    if (kind !== "other") return
    if (PAIRS[value]) open.push(at)
    else if (open.length > 0 && PAIRS[tokens[open.at(-1)].value] === value) pairs.set(open.pop(), at)
  })
  return pairs
}

const MODIFIERS = new Set(
  ["declare", "abstract", "async", "const", "let", "var", "function", "class", "interface", "type", "enum", "namespace", "module"]
)

/** Names in braces, and what each is called outside: the name behind the separator, if there is one. */
const namesIn = (tokens, from, to, separator) => {
  const names = []
  let [depth, fresh] = [0, true]
  for (let at = from; at < to; at++) {
    const { kind, line, value } = tokens[at]
    const isType = value === "type" && tokens[at + 1].kind === "name" && tokens[at + 1].value !== "as"
    if (kind === "other" && PAIRS[value]) depth += 1
    else if (kind === "other" && /^[)\]}]$/.test(value)) depth -= 1
    else if (depth > 0 || isType) continue
    else if (value === ",") fresh = true
    else if (kind === "name" && fresh) {
      names.push({ name: value, as: value, line })
      fresh = false
    } else if (kind === "name" && tokens[at - 1].value === separator) names.at(-1).as = value
  }
  return names
}

const wordsOf = (text) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
const unquoted = (value) => value.replace(/^["'\x60]|["'\x60]$/g, "")

const readCode = (path, text) => {
  const tokens = tokenize(text)
  const pairs = pairsOf(tokens)
  const file = { path, tokens, pairs, exports: [], passedOn: [], strings: new Set(), mentions: new Set(), isCommand: text.startsWith("#!") }
  const silent = new Set()
  const is = (at, ...values) => values.every((value, n) => tokens[at + n]?.value === value)
  tokens.forEach(({ kind, line, value }, at) => {
    if (kind === "string" || (kind === "template" && value.endsWith("\x60"))) file.strings.add(unquoted(value))
    if (kind === "name" && !silent.has(at)) file.mentions.add(value)
    if (kind !== "name" || is(at - 1, ".") && value !== "exports") return
    if (value === "export" && is(at + 1, "*")) {
      const from = tokens.slice(at, at + 6).find((token) => token.kind === "string")
      if (from) file.passedOn.push({ from: unquoted(from.value), all: true, names: [] })
    } else if (value === "export" && (is(at + 1, "{") || is(at + 1, "type", "{"))) {
      const start = is(at + 1, "{") ? at + 1 : at + 2
      const end = pairs.get(start) ?? start
      const names = namesIn(tokens, start + 1, end, "as")
      file.exports.push(...names)
      if (!is(end + 1, "from")) return
      for (let inner = start; inner < end; inner++) silent.add(inner)
      file.passedOn.push({ from: unquoted(tokens[end + 2]?.value ?? ""), all: false, names })
    } else if (value === "export" && !is(at + 1, "default") && !is(at + 1, "=") && !is(at + 1, "as")) {
      let next = at + 1
      while (MODIFIERS.has(tokens[next]?.value) || is(next, "*")) next += 1
      const isType = is(next - 1, "type") || is(next - 1, "interface")
      if (PAIRS[tokens[next]?.value]) file.exports.push(...namesIn(tokens, next + 1, pairs.get(next) ?? next, ":"))
      else if (tokens[next]?.kind === "name" && next > at + 1) file.exports.push({ as: tokens[next].value, isType, line })
    } else if (value === "exports" && is(at + 1, ".") && is(at + 3, "=")) file.exports.push({ as: tokens[at + 2].value, line })
    else if (value === "exports" && is(at - 2, "module", ".") && is(at + 1, "=", "{")) {
      file.exports.push(...namesIn(tokens, at + 3, pairs.get(at + 2) ?? at, ":").map(({ line, name }) => ({ as: name, line })))
    }
  })
  // Text between tags is no code: there, each word counts as said.
  if (path.endsWith("x") && file.passedOn.length === 0) for (const word of wordsOf(text)) file.mentions.add(word)
  return file
}

const readPage = (path, text) => ({
  path,
  tokens: [],
  pairs: new Map(),
  exports: [],
  passedOn: [],
  strings: new Set(Array.from(text.matchAll(/["']([^"'\n]+)["']/g), ([, inner]) => inner)),
  mentions: new Set(wordsOf(text))
})

const paths = walk("").sort()
const files = paths.filter((path) => CODE.test(path) || PAGE.test(path)).map((path) =>
  (CODE.test(path) ? readCode : readPage)(path, readFileSync(posix.join(root, path), "utf8"))
)
const byPath = new Map(files.map((file) => [file.path, file]))

const fileAt = (base) =>
  [base, base.replace(/\.[cm]?jsx?$/, "")].flatMap((stem) => ENDINGS.map((ending) => posix.normalize(stem + ending)))
    .find((path) => byPath.has(path))

/** The file that ends like the rest of a name that is no path: of a package of this repository, or behind an alias such as "@/". */
const fileOfName = (name) => {
  const own = Object.keys(PACKAGES).find((one) => name === one || name.startsWith(one + "/"))
  const rest = own === undefined ? /^(?:[@~#$]?\/|[~#$])(.+)$/.exec(name)?.[1] : name.slice(own.length + 1)
  if (!rest) return undefined
  const folder = own === undefined || PACKAGES[own] === "." ? "" : PACKAGES[own] + "/"
  const ends = ENDINGS.map((ending) => "/" + rest + ending)
  const fitting = files.filter(({ path }) => path.startsWith(folder) && ends.some((end) => ("/" + path).endsWith(end)))
  return fitting.toSorted((one, other) => one.path.length - other.path.length)[0]?.path
}
const filesOfNames = new Map()

const resolve = (from, name) => {
  const beside = posix.join(posix.dirname(from), name)
  if (/^\.\.?(?:\/|$)/.test(name)) return fileAt(beside)
  const there = /[/.]/.test(name) ? fileAt(name) ?? fileAt(beside) : undefined
  if (there === undefined && !filesOfNames.has(name)) filesOfNames.set(name, fileOfName(name))
  return there ?? filesOfNames.get(name)
}

const targetsOf = (file) => Array.from(file.strings, (name) => resolve(file.path, name)).filter((path) => path && path !== file.path)
const imported = new Map(files.map((file) => [file, new Set(targetsOf(file))]))
const edges = files.flatMap((file) => Array.from(imported.get(file), (target) => ({ file, target })))
const importers = Map.groupBy(edges, ({ target }) => target)

const TEST = /(?:^|\/)(?:tests?|__\w+__|spec|e2e|examples?|bench\w*|fixtures?)\/|[._-](?:test|spec|bench|stories|test-d)\.|(?:^|\/)test\./
const CONFIGURATION = /\.d\.[cm]?ts$|(?:^|\/)(?:\.[^/]+|[^/]+\.config)\.[cm]?[jt]s$/

/** Files that manifests, workflows, scripts and other files without code name. */
const namedIn = (path) => {
  const words = readFileSync(posix.join(root, path), "utf8").match(/[\w@.\/-]*[\w\/]/g) ?? []
  return words.filter((word) => /[./]/.test(word)).flatMap((word) => fileAt(word) ?? fileAt(posix.join(posix.dirname(path), word)) ?? [])
}
const named = new Set([...ENTRIES, ...paths.filter((path) => NAMING.test(path) && !/lock\.(?:json|yaml)$/.test(path)).flatMap(namedIn)])
const isEntry = (path) => named.has(path) || byPath.get(path).isCommand || TEST.test(path) || PAGE.test(path) || CONFIGURATION.test(path)

const reached = new Set(files.filter(({ path }) => isEntry(path)))
for (const file of reached) for (const target of imported.get(file)) reached.add(byPath.get(target))

/** Whether a file that imports this one says the name, or passes it on to another that does, or to the outside. */
const isUsed = (file, name, seen = new Set()) => {
  if (seen.has(file)) return false
  seen.add(file)
  return (importers.get(file.path) ?? []).some(({ file: user }) => {
    if (user.mentions.has(name)) return true
    const passing = user.passedOn.filter(({ from }) => resolve(user.path, from) === file.path)
    const passed = passing.flatMap(({ all, names }) => all ? [name] : names.filter((one) => one.name === name).map(({ as }) => as))
    return passed.some((as) => isEntry(user.path) || isUsed(user, as, seen))
  })
}

const findings = []
const find = (kind, key, at, text) => findings.push({ key: kind + " " + key, text: at + " " + kind + ": " + text })

for (const file of files) {
  if (reached.has(file)) continue
  const by = (importers.get(file.path) ?? []).map(({ file: user }) => user.path)
  const why = by.length === 0 ? "nothing imports it" : "only " + by.join(", ") + ", unreached as well"
  find("unreached-file", file.path, file.path + ":1", why)
}
for (const file of reached) {
  if (isEntry(file.path)) continue
  for (const { as, isType, line } of file.exports) {
    // A type that the file's own exports are made of is needed by whoever spells them out.
    const isPart = isType && file.tokens.filter(({ value }) => value === as).length > 1
    if (as !== "default" && !isPart && !isUsed(file, as)) find("unused-export", file.path + " " + as, file.path + ":" + line, as)
  }
}

/** Where the body of a function opens that has its parameters before, perhaps with a type between. */
const bodyAfter = ({ pairs, tokens }, closing) => {
  let at = closing + 1
  if (tokens[at]?.value === ":") {
    for (at += 1; at < tokens.length && tokens[at].value !== "=>" && tokens[at].value !== ";"; at++) {
      if (!PAIRS[tokens[at].value]) continue
      if (tokens[at].value === "{" && !/^(?:[:|&<,]|=>)$/.test(tokens[at - 1].value)) return at
      at = pairs.get(at) ?? at
    }
  }
  if (tokens[at]?.value === "=>") at += 1
  return tokens[at]?.value === "{" ? at : undefined
}
const CONTROL = new Set(["if", "for", "while", "switch", "catch", "with", "await"])
const bodiesOf = (file) => {
  const starts = new Set()
  file.tokens.forEach(({ kind, value }, at) => {
    if (kind !== "other") return
    if (value === "=>" && file.tokens[at + 1]?.value === "{") starts.add(at + 1)
    if (value !== "(" || CONTROL.has(file.tokens[at - 1]?.value) || !file.pairs.has(at)) return
    const body = bodyAfter(file, file.pairs.get(at))
    if (body !== undefined) starts.add(body)
  })
  return Array.from(starts).filter((start) => file.pairs.has(start)).map((start) => ({ file, start, end: file.pairs.get(start) }))
}
const bodies = files.filter(({ path }) => !TEST.test(path)).flatMap(bodiesOf).filter(({ end, start }) => end - start >= SMALLEST)
const textOf = ({ end, file, start }) => file.tokens.slice(start, end).map(({ value }) => value).join(" ")
const same = Array.from(Map.groupBy(bodies, textOf).values()).filter((group) => group.length > 1)
const copies = same.flat()
const isInner = (body) => copies.some((other) => other.file === body.file && other.start < body.start && body.end < other.end)
for (const group of same) {
  if (group.every(isInner)) continue
  const places = group.map(({ file, start }) => file.path + ":" + file.tokens[start].line)
  find("same-body", group.map(({ file }) => file.path).join(" "), places[0], "also at " + places.slice(1).join(", "))
}

const old = new Set(KNOWN)
const reported = findings.filter(({ key }) => !tolerant || !old.has(key)).map(({ text }) => text).sort()
for (const text of reported) console.log(text)
console.log(reported.length === 0 ? "sound: " + files.length + " files" : reported.length + " findings in " + files.length + " files")
process.exitCode = reported.length === 0 ? 0 : 1
`
