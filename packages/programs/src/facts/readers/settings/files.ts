/** Files that hold the settings of one tool, in a format that is data. */
import { posix } from "node:path"
import { linesWithSpans } from "../../lines.ts"
import { fact, type Reader } from "../../model.ts"
import { clip } from "../../text.ts"
import { iniTree } from "../../trees/ini.ts"
import { jsonTree } from "../../trees/json.ts"
import { tomlTree } from "../../trees/toml.ts"
import type { Tree } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { readerOf } from "../reader.ts"
import { settingsOf } from "./setting.ts"

/** Names of files, and the tool that reads them. */
const TOOLS: ReadonlyArray<readonly [name: RegExp, tool: string]> = [
  [/^[tj]sconfig(?:\.[\w.-]+)?\.json$/u, "typescript"],
  [/^\.eslintrc(?:\.json|\.ya?ml)?$/u, "eslint"],
  [/^\.prettierrc(?:\.json5?|\.ya?ml|\.toml)?$/u, "prettier"],
  [/^biome\.jsonc?$/u, "biome"],
  [/^\.?oxlintrc\.jsonc?$/u, "oxlint"],
  [/^\.?dprint\.jsonc?$/u, "dprint"],
  [/^\.editorconfig$/u, "editorconfig"],
  [/^\.stylelintrc(?:\.json|\.ya?ml)?$/u, "stylelint"],
  [/^\.markdownlint(?:-cli2)?\.(?:jsonc?|ya?ml)$/u, "markdownlint"],
  [/^\.vale\.ini$/u, "vale"],
  [/^\.?ruff\.toml$/u, "ruff"],
  [/^\.?mypy\.ini$/u, "mypy"],
  [/^\.?pytest\.ini$/u, "pytest"],
  [/^tox\.ini$/u, "tox"],
  [/^\.flake8$/u, "flake8"],
  [/^\.pylintrc$/u, "pylint"],
  [/^\.coveragerc$/u, "coverage"],
  [/^pyrightconfig\.json$/u, "pyright"],
  [/^\.?rustfmt\.toml$/u, "rustfmt"],
  [/^\.?clippy\.toml$/u, "clippy"],
  [/^rust-toolchain\.toml$/u, "rust"],
  [/^\.golangci\.ya?ml$/u, "golangci-lint"],
  [/^\.rubocop\.ya?ml$/u, "rubocop"],
  [/^\.clang-(?:format|tidy)$/u, "clang"],
  [/^jest\.config\.json$/u, "jest"],
  [/^\.mocharc\.(?:jsonc?|ya?ml)$/u, "mocha"],
  [/^\.nycrc(?:\.json)?$/u, "nyc"],
  [/^\.swcrc$/u, "swc"],
  [/^\.babelrc(?:\.json)?$|^babel\.config\.json$/u, "babel"],
  [/^\.commitlintrc(?:\.json|\.ya?ml)?$/u, "commitlint"],
  [/^\.lintstagedrc(?:\.json|\.ya?ml)?$/u, "lint-staged"],
  [/^renovate\.json5?$|^\.renovaterc(?:\.json5?)?$/u, "renovate"],
  [/^dependabot\.ya?ml$/u, "dependabot"],
  [/^\.?codecov\.ya?ml$/u, "codecov"],
  [/^turbo\.jsonc?$/u, "turbo"],
  [/^nx\.json$/u, "nx"],
  [/^lerna\.json$/u, "lerna"],
  [/^vercel\.json$/u, "vercel"],
  [/^netlify\.toml$/u, "netlify"],
  [/^fly\.toml$/u, "fly"],
  [/^render\.yaml$/u, "render"],
  [/^wrangler\.(?:toml|jsonc?)$/u, "wrangler"],
  [/^foundry\.toml$/u, "foundry"],
  [/^components\.json$/u, "shadcn"],
  [/^\.releaserc(?:\.json|\.ya?ml)?$/u, "semantic-release"],
  [/^mkdocs\.ya?ml$/u, "mkdocs"],
  [/^\.yarnrc\.yml$/u, "yarn"],
  [/^\.npmrc$/u, "npm"],
  [/^\.?mcp\.json$|^mcp_config\.json$|^claude_desktop_config\.json$|^server\.json$/u, "mcp"]
]

/** A version of a language, alone in a file. */
const VERSIONS: Readonly<Record<string, string>> = {
  ".nvmrc": "node",
  ".node-version": "node",
  ".python-version": "python",
  ".ruby-version": "ruby",
  ".java-version": "java",
  "rust-toolchain": "rust"
}

/** A name that ends in `rc` and no more is read as YAML, of which JSON is a part. */
const parserOf = (name: string): (path: string, text: string) => Tree | undefined =>
  /\.json[c5]?$/u.test(name)
    ? jsonTree
    : name.endsWith(".toml")
    ? tomlTree
    : /\.ini$|^\.(?:editorconfig|flake8|pylintrc|coveragerc|npmrc)$/u.test(name)
    ? iniTree
    : yamlTree

const toolOf = (path: string): string | undefined => {
  const file = posix.basename(path)
  return TOOLS.find(([name]) => name.test(file))?.[1]
}

const settingFiles: Reader = {
  takes: (path) => toolOf(path) !== undefined,
  read: (path, text) => {
    const tree = parserOf(posix.basename(path))(path, text)
    return tree === undefined ? [] : settingsOf(toolOf(path) ?? "", tree)
  }
}

const versionFiles: Reader = {
  takes: (path) => Object.hasOwn(VERSIONS, posix.basename(path)),
  read: (path, text) =>
    linesWithSpans(path, text).filter((line) => line.text.trim() !== "").slice(0, 1).map((line) =>
      fact("setting", VERSIONS[posix.basename(path)] ?? "", { name: "version", value: clip(line.text) }, line.span)
    )
}

/** `node 22.1.0`, a line a tool, as asdf and mise read it. */
const toolVersions = readerOf(/(?:^|\/)\.tool-versions$/u, (path, text) =>
  linesWithSpans(path, text).flatMap((line) => {
    const [, tool, version] = /^([\w-]+)\s+(\S+)/u.exec(line.text) ?? []
    return tool === undefined || version === undefined
      ? []
      : [fact("setting", clip(tool), { name: "version", value: clip(version) }, line.span)]
  }))

export const files = [settingFiles, versionFiles, toolVersions]
