/** Lock files of npm, yarn and pnpm. Those over 1 MiB are not among the files that are read. */
import { type Line, linesWithSpans, through } from "../../lines.ts"
import { type Fact, fact, type Span } from "../../model.ts"
import { clip } from "../../text.ts"
import { jsonTree } from "../../trees/json.ts"
import { type Member, memberOf, membersOf, textOf, type Tree } from "../../trees/tree.ts"
import { readerOf, treeReader } from "../reader.ts"

type Locked = Fact<"locked">

export const locked = (name: string, version: string, direct: boolean | null, span: Span): Locked =>
  fact("locked", clip(name), { ecosystem: "npm", version: clip(version), direct }, span)

const INSTALLED = "node_modules/"

const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]

/** Where npm puts what the root and the workspaces ask for: beside them, or hoisted to the root. */
const askedBy = ({ name, value }: Member): ReadonlyArray<string> =>
  DEPENDENCIES.flatMap((field) => membersOf(value, field)).flatMap((member) =>
    name === "" ? [`${INSTALLED}${member.name}`] : [`${name}/${INSTALLED}${member.name}`, `${INSTALLED}${member.name}`]
  )

/** From lockfileVersion 2 on: every folder that is installed. */
const installed = (packages: ReadonlyArray<Member>): ReadonlyArray<Locked> => {
  const asked = new Set(packages.filter(({ name }) => !name.includes(INSTALLED)).flatMap(askedBy))
  return packages.flatMap(({ name, span, value }) => {
    const version = memberOf(value, "version")
    const at = name.lastIndexOf(INSTALLED)
    const text = textOf(version?.value)
    if (at === -1 || version === undefined || text === null) return []
    return [locked(name.slice(at + INSTALLED.length), text, asked.has(name), { ...span, end_line: version.span.end_line })]
  })
}

/** lockfileVersion 1, which does not say what the project asks for. */
const nested = (members: ReadonlyArray<Member>): ReadonlyArray<Locked> =>
  members.flatMap(({ name, span, value }) => {
    const version = memberOf(value, "version")
    const text = textOf(version?.value)
    const own = version === undefined || text === null ? [] : [locked(name, text, null, { ...span, end_line: version.span.end_line })]
    return [...own, ...nested(membersOf(value, "dependencies"))]
  })

const packageLock = treeReader(/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/u, jsonTree, (root: Tree) => {
  const packages = membersOf(root, "packages")
  return packages.length > 0 ? installed(packages) : nested(membersOf(root, "dependencies"))
})

/** `"@scope/name@npm:^1.0.0, @scope/name@^1.1.0":` → `@scope/name`. */
const yarnName = (head: string): string => {
  const first = head.replace(/^"/u, "")
  const at = first.indexOf("@", 1)
  return at === -1 ? first : first.slice(0, at)
}

/**
 * yarn.lock of yarn 1 and of later yarn, whose layout is YAML: entries begin at the margin, and their version is the first indented line.
 * Later yarn writes the project's own workspaces among them, with their dependencies.
 */
const yarnLock = readerOf(/(?:^|\/)yarn\.lock$/u, (path, text) => {
  const found: Array<{ readonly name: string; readonly version: string; readonly span: Span }> = []
  const asked = new Set<string>()
  let [hasWorkspaces, isWorkspace, isAsking] = [false, false, false]
  let head: Line | undefined
  for (const line of linesWithSpans(path, text)) {
    if (/^[^\s#]/u.test(line.text)) {
      head = line.text.startsWith("__metadata") ? undefined : line
      isWorkspace = /@workspace:/u.test(line.text)
      hasWorkspaces ||= isWorkspace
      isAsking = false
      continue
    }
    const version = /^ {2}version:? "?([^"\s]+)"?$/u.exec(line.text)?.[1]
    if (version !== undefined && head !== undefined && !isWorkspace) {
      found.push({ name: yarnName(head.text), version, span: through(head.span, line.span) })
    }
    if (/^ {2}\S/u.test(line.text)) isAsking = isWorkspace && /^ {2}(?:dependencies|peerDependencies):$/u.test(line.text)
    const name = isAsking ? /^ {4}"?([^":\s]+)"?:/u.exec(line.text)?.[1] : undefined
    if (name !== undefined) asked.add(name)
  }
  return found.map(({ name, span, version }) => locked(name, version, hasWorkspaces ? asked.has(name) : null, span))
})

/** `@scope/name@1.0.0(peer@2.0.0)` and, of older pnpm, `/@scope/name/1.0.0_peer@2.0.0`: name and version. */
const PACKAGE = /^\/?((?:@[^/]+\/)?[^/@]+)[@/]([^_(]+)/u

const unquoted = (text: string): string => text.replace(/^['"]/u, "").replace(/['"]$/u, "")

/** pnpm-lock.yaml as pnpm writes it: `importers` (older: the top itself) ask for what `packages` holds. */
const pnpmLock = readerOf(/(?:^|\/)pnpm-lock\.yaml$/u, (path, text) => {
  const asked = new Set<string>()
  const found: Array<{ readonly name: string; readonly version: string; readonly span: Span }> = []
  let section = ""
  let isAsking = false
  for (const { span, text: line } of linesWithSpans(path, text)) {
    const indent = line.search(/\S/u)
    const key = /^\s*(\S+?):(?:\s|$)/u.exec(line)?.[1]
    if (key === undefined) continue
    if (indent === 0) section = key
    if (DEPENDENCIES.includes(key)) isAsking = section === "importers" ? indent === 4 : indent === 0
    else if (indent < (section === "importers" ? 6 : 2)) isAsking = false
    else if (isAsking && indent === (section === "importers" ? 6 : 2)) asked.add(unquoted(key))
    const [, name, version] = section === "packages" && indent === 2 ? PACKAGE.exec(unquoted(key)) ?? [] : []
    if (name !== undefined && version !== undefined) found.push({ name, version, span })
  }
  return found.map(({ name, span, version }) => locked(name, version, asked.has(name), span))
})

export const npmLocks = [packageLock, yarnLock, pnpmLock]
