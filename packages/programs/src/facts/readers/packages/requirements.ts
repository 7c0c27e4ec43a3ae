/** requirements.txt and its kin, setup.cfg, Pipfile. */
import { posix } from "node:path"
import { linesWithSpans } from "../../lines.ts"
import type { AnyFact } from "../../model.ts"
import { clip } from "../../text.ts"
import { iniTree } from "../../trees/ini.ts"
import { tomlTree } from "../../trees/toml.ts"
import { find, itemsOf, memberOf, membersOf, textOf } from "../../trees/tree.ts"
import { dependencyFact, entryFact, licenseFact, manifestFact, readerOf, treeReader } from "../reader.ts"
import { settingFacts } from "../settings/setting.ts"
import { type DependencyScope, isForDevelopment, requirement, requirements } from "./requirement.ts"

/** Options and hashes begin with a dash, or stand indented below their requirement. */
export const requirementsTxt = readerOf(
  /(?:^|\/)(?:requirements|constraints)[^/]*\.(?:txt|in)$|(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/u,
  (path, text) => {
    const scope: DependencyScope = isForDevelopment(posix.basename(path).replace(/^(?:requirements|constraints)/u, ""))
      ? "development"
      : "runtime"
    return linesWithSpans(path, text).flatMap((line) => requirement(line.text.replace(/\\$/u, ""), line.span, scope))
  }
)

const PROJECT = new Set(["metadata", "options", "options.extras_require", "options.entry_points"])

export const setupCfg = treeReader(/(?:^|\/)setup\.cfg$/u, iniTree, (root) => {
  const [metadata, options] = [find(root, "metadata"), find(root, "options")]
  const [named, license] = [memberOf(metadata, "name"), memberOf(metadata, "license")]
  const name = textOf(named?.value)
  const licenses = license === undefined ? [] : [licenseFact(textOf(license.value) ?? "", "manifest", license.span)]
  const python = textOf(options, "python_requires")
  const entries = membersOf(root, "options.entry_points").flatMap((group) =>
    itemsOf(group.value).flatMap((item) => {
      const [script, target] = (textOf(item) ?? "").split("=")
      return target === undefined || script === undefined
        ? []
        : [entryFact(`${group.name}.${script.trim()}`, target.trim(), item.span, { ecosystem: "pypi", package: name })]
    })
  )
  const manifest: ReadonlyArray<AnyFact> = named === undefined || name === null ? [] : [manifestFact(name, named.span, {
    ecosystem: "pypi",
    version: textOf(metadata, "version"),
    description: textOf(metadata, "description"),
    license: licenses[0]?.subject ?? null,
    entries: entries.map(({ subject, value: { target } }) => ({ name: subject, target })),
    requires: python === null ? [] : [`python ${python}`]
  })]
  return [
    ...manifest,
    ...licenses,
    ...entries,
    ...requirements(itemsOf(options, "install_requires"), "runtime"),
    ...requirements(itemsOf(options, "setup_requires"), "build"),
    ...membersOf(root, "options.extras_require").flatMap(({ value }) => requirements(itemsOf(value), "optional")),
    ...membersOf(root).filter(({ name }) => !PROJECT.has(name)).flatMap((section) =>
      settingFacts(clip(section.name.replace(/^tool:/u, "")), { ...section, name: "" })
    )
  ]
})

export const pipfile = treeReader(
  /(?:^|\/)Pipfile$/u,
  tomlTree,
  (root) =>
    ([["packages", "runtime"], ["dev-packages", "development"]] as const).flatMap(([field, scope]) =>
      membersOf(root, field).map(({ name, span, value }) =>
        dependencyFact(name, span, { ecosystem: "pypi", range: textOf(value) ?? textOf(value, "version") ?? "", scope })
      )
    )
)
