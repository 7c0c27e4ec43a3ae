/** The table of `npm run prove -- --analysis`. */
import { analyze, type Analyzed } from "./analyze.ts"
import { type Key, keys } from "./key.ts"
import { answered, cited, planted, type Reading, reading, type Share, shared, unknown, vanished } from "./measures.ts"
import { filesOfPackage, packages } from "./packages.ts"
import { type Files, projects } from "./projects.ts"
import { questionsOf } from "./questions.ts"

/** Addresses and names that the programs' named rules bring. */
export const RULES: ReadonlyArray<string> = [
  "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "https://github.com/actions",
  "https://in-toto.io/Statement/v1",
  "https://cyclonedx.org/bom",
  // Of CycloneDX.
  "1.6",
  "https://registry.npmjs.org"
]

export interface Measured {
  readonly name: string
  readonly files: Files
  readonly analyzed: Analyzed
  readonly cited: Share
  readonly vanished: Share
  readonly planted: Share
  readonly answered: Share
  readonly reading: Reading
  readonly unknown: ReadonlyArray<string>
}

/** Of a repository with so many files fewer claims are tried, as each makes all artifacts anew. */
const MANY = 200

const NONE: Key = { facts: [], questions: [] }

export const measure = async (name: string, files: Files, deletions: number): Promise<Measured> => {
  const analyzed = await analyze(name, files)
  const key = keys[name] ?? { ...NONE, questions: questionsOf(files) }
  return {
    name,
    files,
    analyzed,
    cited: cited(analyzed, files),
    vanished: await vanished(name, analyzed, files, deletions),
    planted: planted(analyzed, files, key),
    answered: answered(analyzed, files, key),
    reading: await reading(analyzed, files, key),
    unknown: unknown(analyzed, RULES)
  }
}

/** Each repository in turn; those that cannot be had are named. */
export const measureAll = async (tell: (line: string) => void): Promise<ReadonlyArray<Measured>> => {
  const measured: Array<Measured> = []
  for (const [name, files] of Object.entries(projects)) measured.push(await measure(name, files, 20))
  for (const [name, version, integrity] of packages) {
    const files = await filesOfPackage(name, version, integrity)
    if (files === undefined) tell(`${name}@${version}: skipped, the registry cannot be reached`)
    else {
      measured.push(await measure(name, files, Object.keys(files).length > MANY ? 3 : 11))
      tell(`${name}@${version}: ${Object.keys(files).length} files`)
    }
  }
  return measured
}

const percent = ({ all, held }: Share): string => all === 0 ? "–" : `${held} of ${all} (${(100 * held / all).toFixed(1)} %)`

const ratio = ({ artifacts, files }: Pick<Reading, "artifacts" | "files">): string =>
  files === 0 ? "–" : `${artifacts} over ${files} (${(artifacts / files).toFixed(2)})`

const sum = (shares: ReadonlyArray<Share>): Share => ({
  held: shares.reduce((total, { held }) => total + held, 0),
  all: shares.reduce((total, { all }) => total + all, 0),
  misses: shares.flatMap(({ misses }) => misses)
})

/** What two repositories may share of an artifact in Markdown. */
const MOST_SHARED = 0.35

interface Overlap {
  readonly mean: number
  readonly pairs: number
  readonly above: number
  readonly highest: { readonly share: number; readonly path: string; readonly pair: string }
}

/** Over all pairs of repositories, of artifacts whose path fits. Licence texts are left out. */
export const overlapOf = (measured: ReadonlyArray<Measured>, fits: (path: string) => boolean): Overlap => {
  const shares = measured.flatMap((one, at) =>
    measured.slice(at + 1).flatMap((other) =>
      shared(one.analyzed, other.analyzed).filter(({ path }) => fits(path) && !/LICEN[CS]E/u.test(path))
        .map(({ path, share }) => ({ path, share, pair: `${one.name}, ${other.name}` }))
    )
  )
  const highest = shares.toSorted((a, b) => b.share - a.share)[0] ?? { path: "", share: 0, pair: "" }
  return {
    mean: shares.reduce((total, { share }) => total + share, 0) / Math.max(1, shares.length),
    pairs: shares.length,
    above: shares.filter(({ share }) => share > MOST_SHARED).length,
    highest
  }
}

const overlapText = ({ above, highest, mean, pairs }: Overlap): string =>
  `mean ${(100 * mean).toFixed(1)} %, ${above} of ${pairs} pairs above ${100 * MOST_SHARED} %, highest ${
    (100 * highest.share).toFixed(1)
  } % (\`${highest.path}\` of ${highest.pair})`

const isMarkdown = (path: string): boolean => path.endsWith(".md") || path === ".cursorrules"

export const reportOf = (measured: ReadonlyArray<Measured>): string =>
  [
    "# What tells an analysis from a template",
    "",
    "Made by `npm run prove -- --analysis`. Six planted projects of ours, and twelve packages of npm, pinned by hash; of each at most 250",
    "files.",
    "Tokens are those of the lines that lead to the answers, over those of the files that a search for the question's words names.",
    "",
    "| repository | files | artifacts | cited | vanish with their lines | planted facts found | questions answered | tokens | " +
    "names in no fact |",
    "|---|---|---|---|---|---|---|---|---|",
    ...measured.map(({ analyzed, answered, cited, files, name, planted, reading, unknown, vanished }) =>
      `| ${name} | ${Object.keys(files).length} | ${analyzed.artifacts.length} | ${percent(cited)} | ${percent(vanished)} | ${
        percent(planted)
      } | ${percent(answered)} | ${ratio(reading)} | ${unknown.length} |`
    ),
    `| all | | | ${percent(sum(measured.map(({ cited }) => cited)))} | ${percent(sum(measured.map(({ vanished }) => vanished)))} | ${
      percent(sum(measured.map(({ planted }) => planted)))
    } | ${percent(sum(measured.map(({ answered }) => answered)))} | ${
      ratio({
        artifacts: measured.reduce((total, { reading }) => total + reading.artifacts, 0),
        files: measured.reduce((total, { reading }) => total + reading.files, 0)
      })
    } | ${measured.reduce((total, { unknown }) => total + unknown.length, 0)} |`,
    "",
    "| sequences of five words that two repositories share, of the shorter artifact | measured | bar |",
    "|---|---|---|",
    `| Markdown | ${overlapText(overlapOf(measured, isMarkdown))} | mean 20 %, any 35 % |`,
    `| code and data | ${overlapText(overlapOf(measured, (path) => !isMarkdown(path)))} | mean 45 % |`,
    "",
    "## Misses",
    "",
    ...measured.flatMap(({ answered, cited, name, planted, reading, unknown, vanished }) =>
      [
        ...planted.misses.map((miss) => `not found: ${miss}`),
        ...answered.misses.map((miss) => `not answered: ${miss}`),
        ...reading.losses.map((loss) => `more than half of the files: ${loss}`),
        ...vanished.misses.slice(0, 5).map((miss) => `stays: ${miss}`),
        ...cited.misses.slice(0, 5).map((miss) => `not cited: ${miss}`),
        ...unknown.slice(0, 5).map((miss) => `in no fact: ${miss}`)
      ].map((line) => `- ${name}: ${line.replaceAll(/[`|<>]/gu, " ")}`)
    ),
    ""
  ].join("\n")
