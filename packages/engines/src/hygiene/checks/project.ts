/** The repository as a whole: what it lacks, and what it should not hold. */
import { ignoredBy } from "../../analysis/gitignore.ts"
import { type HygieneFile, isCode, isOwn } from "../files.ts"
import type { Finding, RuleId } from "../rule-table.ts"

/** A file of which says that these are the files of a project, and not a few files of one. */
const MANIFEST = new RegExp(
  "^(?:package\\.json|pyproject\\.toml|setup\\.py|requirements\\.txt|Cargo\\.toml|go\\.mod|pom\\.xml|build\\.gradle(?:\\.kts)?|" +
    "Gemfile|composer\\.json|pubspec\\.yaml|Package\\.swift|[^/]+\\.csproj)$",
  "u"
)

const LACKS: ReadonlyArray<readonly [rule: RuleId, path: string, there: RegExp]> = [
  ["missing-license", "LICENSE", /^(?:LICEN[CS]E|COPYING|UNLICENSE|LICENSES\/)/iu],
  ["missing-readme", "README.md", /^(?:docs\/|\.github\/)?README(?:\.|$)/iu],
  ["missing-gitignore", ".gitignore", /^\.gitignore$/u]
]

const INSTALLED = /(?:^|\/)(?:node_modules|bower_components|\.venv|venv)\//u
const OUTPUT = new RegExp(
  "(?:^|/)(?:__pycache__|\\.next|\\.nuxt|\\.turbo|\\.pytest_cache|\\.mypy_cache|\\.gradle|\\.nyc_output)/|\\.(?:pyc|class|o)$|" +
    "(?:^|/)(?:\\.DS_Store|Thumbs\\.db|npm-debug\\.log)$",
  "u"
)

/** One finding a folder. */
const inFolders = (rule: RuleId, pattern: RegExp, files: ReadonlyArray<HygieneFile>): ReadonlyArray<Finding> => {
  const folders = Map.groupBy(files.filter(({ path }) => pattern.test(path)), ({ path }) => {
    const { 0: end = "", index = 0 } = pattern.exec(path) ?? {}
    return path.slice(0, index + end.length)
  })
  return Array.from(folders.values(), ([first, ...others]) => ({ rule, path: first?.path ?? "", line: null, times: others.length + 1 }))
}

const VALUES = /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*[^\s#]/mu
const ENVIRONMENT = /^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$|schema$|test$)[\w-]+)?$/u

const environmentFiles = (files: ReadonlyArray<HygieneFile>): ReadonlyArray<Finding> =>
  files.filter(({ name, text }) => ENVIRONMENT.test(name) && VALUES.test(text)).map(({ path, text }) => ({
    rule: "environment-file",
    path,
    line: text.slice(0, text.search(VALUES)).split("\n").length
  }))

const caseConflicts = (files: ReadonlyArray<HygieneFile>): ReadonlyArray<Finding> =>
  Array.from(Map.groupBy(files, ({ path }) => path.toLowerCase()).values()).filter(({ length }) => length > 1)
    .flatMap((paths) => paths.slice(1)).map(({ path }) => ({ rule: "case-conflict", path, line: null }))

/** Reports that were sent for the grade. */
export const REPORT = /(?:^|\/)(?:lcov\.info|coverage-summary\.json|cobertura(?:-coverage)?\.xml|coverage\.xml)$/u

const ignored = (files: ReadonlyArray<HygieneFile>): ReadonlyArray<Finding> => {
  const isIgnored = ignoredBy(new Map(files.filter(({ name }) => name === ".gitignore").map(({ path, text }) => [path, text])))
  const known = (path: string) => INSTALLED.test(path) || OUTPUT.test(path) || REPORT.test(path)
  return files.filter(({ name, path }) => !known(path) && !ENVIRONMENT.test(name) && isIgnored(path))
    .map(({ path }) => ({ rule: "ignored-file", path, line: null }))
}

const lacking = (files: ReadonlyArray<HygieneFile>): ReadonlyArray<Finding> => {
  if (!files.some(({ path }) => MANIFEST.test(path))) return []
  const code = files.filter((file) => isCode(file) && file.language !== "Shell")
  const hasTests = code.some(({ language, role, text }) => role === "test" || language === "Rust" && text.includes("#[cfg(test)]"))
  return [
    ...LACKS.filter(([, , there]) => !files.some(({ path }) => there.test(path))).map(([rule, path]): Finding => ({
      rule,
      path,
      line: null
    })),
    ...(code[0] === undefined || hasTests ? [] : [{ rule: "no-tests", path: code[0].path, line: null } as const])
  ]
}

export const projectChecks = (files: ReadonlyArray<HygieneFile>, maxFileBytes: number): ReadonlyArray<Finding> => [
  ...environmentFiles(files.filter(isOwn)),
  ...caseConflicts(files),
  ...inFolders("committed-dependencies", INSTALLED, files),
  ...inFolders("committed-output", OUTPUT, files.filter(({ path }) => !INSTALLED.test(path))),
  ...ignored(files),
  ...files.filter(({ bytes }) => bytes > maxFileBytes).map(({ path }): Finding => ({ rule: "large-file", path, line: null })),
  ...lacking(files)
]
