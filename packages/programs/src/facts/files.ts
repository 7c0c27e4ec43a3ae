/** What a path says of its file: language and role. */
import { posix } from "node:path"
import { type Fact, fact, type FileRole } from "./model.ts"

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "TypeScript",
  mts: "TypeScript",
  cts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  mjs: "JavaScript",
  cjs: "JavaScript",
  jsx: "JavaScript",
  py: "Python",
  go: "Go",
  rs: "Rust",
  java: "Java",
  kt: "Kotlin",
  cs: "C#",
  php: "PHP",
  rb: "Ruby",
  c: "C",
  h: "C",
  cc: "C++",
  cpp: "C++",
  hpp: "C++",
  sol: "Solidity",
  swift: "Swift",
  dart: "Dart",
  sh: "Shell",
  bash: "Shell",
  css: "CSS",
  scss: "SCSS",
  html: "HTML",
  vue: "Vue",
  svelte: "Svelte",
  hbs: "Handlebars",
  md: "Markdown",
  mdx: "Markdown",
  rst: "reStructuredText",
  json: "JSON",
  jsonc: "JSON",
  yaml: "YAML",
  yml: "YAML",
  toml: "TOML",
  sql: "SQL",
  xml: "XML",
  ini: "INI"
}

const SOURCES: ReadonlySet<string> = new Set([
  "TypeScript",
  "JavaScript",
  "Python",
  "Go",
  "Rust",
  "Java",
  "Kotlin",
  "C#",
  "PHP",
  "Ruby",
  "C",
  "C++",
  "Solidity",
  "Swift",
  "Dart",
  "Shell",
  "Vue",
  "Svelte",
  "SQL"
])

export const languageOf = (path: string): string => LANGUAGES[/\.([^./]+)$/u.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "other"

/** Fixtures are of tests, too. */
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|spec|__fixtures__)\//u
const TEST_NAME = /(?:^|[._-])fixtures?\.|[._-](?:test|spec)\.|^test_.+\.py$|_test\.go$|Tests?\.(?:java|cs|kt)$/u
const isTest = (path: string): boolean => TEST_FOLDER.test(path) || TEST_NAME.test(posix.basename(path))

const roleOf = (path: string, language: string): FileRole => {
  if (SOURCES.has(language)) return isTest(path) ? "test" : "source"
  if (language === "Markdown" || language === "reStructuredText" || /(?:^|\/)(?:LICEN[CS]E|README|CHANGELOG)[^/]*$/iu.test(path)) {
    return "documentation"
  }
  if (language === "CSS" || language === "SCSS") return "style"
  if (language === "HTML" || language === "Handlebars") return "page"
  return language === "other" ? "data" : "configuration"
}

export const linesOf = (text: string): number => text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0)

export const fileFact = (path: string, text: string): Fact<"file"> => {
  const language = languageOf(path)
  const lines = linesOf(text)
  return fact("file", path, { language, role: roleOf(path, language), lines, bytes: Buffer.byteLength(text) }, {
    path,
    start_line: 1,
    end_line: Math.max(1, lines)
  })
}
