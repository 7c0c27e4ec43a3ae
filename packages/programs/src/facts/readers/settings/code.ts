/** Settings in JavaScript and TypeScript, such as eslint.config.js: what stands literally in their objects. */
import { posix } from "node:path"
import type { Node, TreeCursor } from "web-tree-sitter"
import { walking } from "../../grammars.ts"
import { type Fact, fact, type Reader } from "../../model.ts"
import { clip } from "../../text.ts"

const TOOLS = new Set([
  "astro",
  "babel",
  "commitlint",
  "cypress",
  "drizzle",
  "esbuild",
  "eslint",
  "hardhat",
  "jest",
  "lint-staged",
  "next",
  "nuxt",
  "playwright",
  "postcss",
  "prettier",
  "remix",
  "rollup",
  "stylelint",
  "svelte",
  "tailwind",
  "tsup",
  "vite",
  "vitest",
  "webpack",
  "wdio"
])

const LITERALS = new Set(["string", "number", "true", "false", "null", "unary_expression", "regex"])
/** What stands in them is done, not set. Arrow functions often give the settings back. */
const FUNCTIONS = new Set(["function_declaration", "function_expression", "method_definition"])
/** A longer list is read item by item. */
const LONGEST_LIST = 120
const MOST = 500

const toolOf = (path: string): string | undefined => {
  const tool = /^\.?([a-z-]+?)(?:\.config|rc)\.[cm]?[jt]s$/u.exec(posix.basename(path))?.[1]
  return tool !== undefined && TOOLS.has(tool) ? tool : undefined
}

const unquoted = (text: string): string => /^["'`]/u.test(text) ? text.slice(1, -1) : text

const settingOf = (tool: string, path: string, names: ReadonlyArray<string>, pair: Node): Fact<"setting"> | undefined => {
  const value = pair.childForFieldName("value")
  if (value === null) return undefined
  const isList = value.type === "array" && value.endIndex - value.startIndex <= LONGEST_LIST
  if (!LITERALS.has(value.type) && !isList) return undefined
  const span = { path, start_line: pair.startPosition.row + 1, end_line: pair.endPosition.row + 1 }
  return fact("setting", tool, { name: clip(names.join(".")), value: clip(unquoted(value.text)) }, span)
}

const settingsOf = (tool: string, path: string, cursor: TreeCursor): ReadonlyArray<Fact<"setting">> => {
  const facts: Array<Fact<"setting">> = []
  const names: Array<string> = []
  /** Names of the pair that the cursor enters; whether its value is left to be read. */
  const enter = (): boolean => {
    if (cursor.nodeType !== "pair") return !FUNCTIONS.has(cursor.nodeType)
    const pair = cursor.currentNode
    names.push(unquoted(pair.childForFieldName("key")?.text ?? ""))
    const setting = settingOf(tool, path, names, pair)
    if (setting !== undefined) facts.push(setting)
    return setting === undefined
  }
  /** To the next node that was not entered yet; false at the end. */
  const leave = (): boolean => {
    do {
      if (cursor.nodeType === "pair") names.pop()
      if (cursor.gotoNextSibling()) return true
    } while (cursor.gotoParent())
    return false
  }
  let isInside = true
  while (isInside && facts.length < MOST) isInside = (enter() && cursor.gotoFirstChild()) || leave()
  return facts
}

export const settingsInCode: Reader = {
  takes: (path) => toolOf(path) !== undefined,
  grammar: () => "typescript",
  read: (path, text) =>
    walking("typescript", text, (tree) => {
      const cursor = tree.walk()
      try {
        return settingsOf(toolOf(path) ?? "", path, cursor)
      } finally {
        cursor.delete()
      }
    })
}
