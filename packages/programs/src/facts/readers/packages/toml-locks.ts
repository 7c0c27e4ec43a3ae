/** Lock files of Poetry, PDM, uv and Cargo: `[[package]]` with a name and a version, as their programs write them. */
import { type Line, linesWithSpans, through } from "../../lines.ts"
import { type Ecosystem, fact, type Span } from "../../model.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

interface Package {
  readonly head: Span
  readonly lines: Array<Line>
}

const packagesOf = (path: string, text: string): ReadonlyArray<Package> => {
  const packages: Array<Package> = []
  for (const line of linesWithSpans(path, text)) {
    if (line.text === "[[package]]") packages.push({ head: line.span, lines: [] })
    else packages.at(-1)?.lines.push(line)
  }
  return packages
}

const valueOf = (line: Line | undefined): string | undefined => /^\w+ = "([^"]*)"/u.exec(line?.text ?? "")?.[1]

interface Layout {
  readonly ecosystem: Ecosystem
  /** Whether the package is one of the project itself; undefined for files that do not list those. */
  readonly isOwn?: (lines: ReadonlyArray<Line>) => boolean
  /** The package that a line of the project's own names as a dependency. */
  readonly asks?: RegExp
}

const tomlLock = (paths: RegExp, { asks, ecosystem, isOwn }: Layout) =>
  readerOf(paths, (path, text) => {
    const packages = packagesOf(path, text)
    const own = new Set(packages.filter(({ lines }) => isOwn?.(lines)))
    const asked = new Set(Array.from(own, ({ lines }) => lines.flatMap((line) => asks?.exec(line.text)?.[1] ?? [])).flat())
    return packages.filter((one) => !own.has(one)).flatMap(({ head, lines }) => {
      const versionLine = lines.find((line) => line.text.startsWith("version = "))
      const name = valueOf(lines.find((line) => line.text.startsWith("name = ")))
      const version = valueOf(versionLine)
      if (name === undefined || version === undefined) return []
      const direct = own.size === 0 ? null : asked.has(name)
      return [fact("locked", clip(name), { ecosystem, version: clip(version), direct }, through(head, versionLine?.span ?? head))]
    })
  })

export const tomlLocks = [
  tomlLock(/(?:^|\/)(?:poetry|pdm)\.lock$/u, { ecosystem: "pypi" }),
  tomlLock(/(?:^|\/)uv\.lock$/u, {
    ecosystem: "pypi",
    isOwn: (lines) => lines.some(({ text }) => /^source = \{ (?:virtual|editable|directory) = /u.test(text)),
    asks: /^ {4}\{ name = "([^"]+)"/u
  }),
  tomlLock(/(?:^|\/)Cargo\.lock$/u, {
    ecosystem: "cargo",
    isOwn: (lines) => !lines.some(({ text }) => text.startsWith("source = ")),
    asks: /^ "([^" ]+)/u
  })
]
