/** Files that are prompts: in a folder of prompts, or named so, and what agents read before they work. */
import { lineAt, spanBetween } from "../positions.ts"
import { promptFacts } from "../prompt.ts"
import { readerOf } from "./reader.ts"

const FOLDER = /(?:^|\/)prompts?\//u
const FORMAT = /\.(?:md|txt|prompt|jinja2?|j2|hbs|mustache)$/u
const NAME = /\.prompt(?:\.md|\.txt)?$|(?:^|\/)(?:AGENTS|CLAUDE)\.md$|(?:^|\/)\.cursorrules$/u
const PATHS = { test: (path: string): boolean => NAME.test(path) || FOLDER.test(path) && FORMAT.test(path) }

export const promptFiles = readerOf(PATHS, (path, text) => {
  const end = text.trimEnd().length
  return promptFacts(end === 0 ? [] : [{ name: path, text, within: null, span: spanBetween(path, lineAt(text), 0, end) }])
})
