/** build.gradle, build.gradle.kts, settings.gradle and version catalogs. The scripts are code: what stands literally in them is read. */
import { linesWithSpans } from "../../lines.ts"
import { type AnyFact, fact, type FactValues } from "../../model.ts"
import { tomlTree } from "../../trees/toml.ts"
import { membersOf, textOf, type Tree } from "../../trees/tree.ts"
import { dependencyFact, manifestFact, readerOf, treeReader } from "../reader.ts"

const scopeOf = (configuration: string): FactValues["dependency"]["scope"] =>
  /test/iu.test(configuration) ? "development" : /compileOnly|annotationProcessor|kapt|ksp/iu.test(configuration) ? "build" : "runtime"

const DEPENDENCY = new RegExp(
  "^\\s*(api|implementation|compileOnly|runtimeOnly|annotationProcessor|kapt|ksp|(?:test|androidTest|debug)\\w*)\\b" +
    "[\\s(]+(?:platform\\()?(?:[\"']([^\"']+)[\"']|(libs\\.[\\w.]+))",
  "u"
)
const PLUGIN = /^\s*id[\s(]+["']([^"']+)["']\)?(?:\s+version\s+["']([^"']+)["'])?/u
/** `JavaLanguageVersion.of(21)`, `sourceCompatibility = JavaVersion.VERSION_17`, `jvmToolchain(21)`. */
const JAVA = /(?:JavaLanguageVersion\.of\(|JavaVersion\.VERSION_|jvmToolchain\(|sourceCompatibility\s?=\s?["']?)(\d{1,2})\b/u

const build = readerOf(
  /\.gradle(?:\.kts)?$/u,
  (path, text) =>
    linesWithSpans(path, text).flatMap(({ span, text: line }): ReadonlyArray<AnyFact> => {
      const [, configuration = "", literal, alias] = DEPENDENCY.exec(line) ?? []
      if (alias !== undefined) return [dependencyFact(alias, span, { ecosystem: "maven", range: "", scope: scopeOf(configuration) })]
      const [group, artifact, version = ""] = literal?.split(":") ?? []
      if (group !== undefined && artifact !== undefined) {
        return [dependencyFact(`${group}:${artifact}`, span, { ecosystem: "maven", range: version, scope: scopeOf(configuration) })]
      }
      const [, plugin, pluginVersion = ""] = PLUGIN.exec(line) ?? []
      if (plugin !== undefined) return [dependencyFact(plugin, span, { ecosystem: "maven", range: pluginVersion, scope: "build" })]
      const java = JAVA.exec(line)?.[1]
      if (java !== undefined) return [fact("setting", "gradle", { name: "java", value: java }, span)]
      const project = /^\s*rootProject\.name\s*=\s*["']([^"']+)["']/u.exec(line)?.[1]
      return project === undefined ? [] : [manifestFact(project, span, { ecosystem: "maven", workspaces: includedIn(text) })]
    })
)

/** Such as `app` of `include(":app")`. */
const includedIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^[ \t]*include[ \t(]([^)\n]*)/gmu), ([, list = ""]) => list)
    .flatMap((list) => Array.from(list.matchAll(/["']:?([^"']+)["']/gu), ([, name = ""]) => name.replaceAll(":", "/")))

const moduleOf = (value: Tree): string => {
  const [group, artifact] = (textOf(value) ?? "").split(":")
  return textOf(value, "module") ?? `${textOf(value, "group") ?? group ?? ""}:${textOf(value, "name") ?? artifact ?? ""}`
}

const catalog = treeReader(
  /(?:^|\/)gradle\/[^/]+\.versions\.toml$/u,
  tomlTree,
  (root) =>
    membersOf(root, "libraries").map(({ span, value }) => {
      const named = textOf(value, "version", "ref")
      const range = textOf(value, "version") ?? (named === null ? textOf(value)?.split(":")[2] : textOf(root, "versions", named)) ?? ""
      return dependencyFact(moduleOf(value), span, { ecosystem: "maven", range, scope: "runtime" })
    })
)

export const gradle = [build, catalog]
