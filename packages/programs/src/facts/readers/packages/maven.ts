/** pom.xml. Versions stay as they are written, also where they name a property. */
import { type AnyFact, fact, type FactValues } from "../../model.ts"
import { clip } from "../../text.ts"
import { find, memberOf, membersOf, textOf, type Tree } from "../../trees/tree.ts"
import { xmlTree } from "../../trees/xml.ts"
import { dependencyFact, licenseFact, listingFacts, manifestFact, treeReader } from "../reader.ts"
import { LISTED } from "./listed.ts"

const SCOPES: Readonly<Record<string, FactValues["dependency"]["scope"]>> = { test: "development", provided: "build" }

const dependencies = (holder: Tree | undefined, element: string, scope?: FactValues["dependency"]["scope"]): ReadonlyArray<AnyFact> =>
  membersOf(holder).filter(({ name }) => name === element).flatMap(({ span, value }) => {
    const artifact = textOf(value, "artifactId")
    if (artifact === null) return []
    const isOptional = textOf(value, "optional") === "true"
    return [dependencyFact(`${textOf(value, "groupId") ?? "org.apache.maven.plugins"}:${artifact}`, span, {
      ecosystem: "maven",
      range: textOf(value, "version") ?? "",
      scope: scope ?? (isOptional ? "optional" : SCOPES[textOf(value, "scope") ?? ""] ?? "runtime")
    })]
  })

export const maven = treeReader(/(?:^|\/)pom\.xml$/u, xmlTree, (file) => {
  const root = find(file, "project")
  const artifact = memberOf(root, "artifactId")
  if (artifact === undefined) return []
  const [licenses, java] = [membersOf(root, "licenses"), textOf(root, "properties", "maven.compiler.release")]
  const licenseFacts = licenses.flatMap(({ span, value }) => {
    const name = textOf(value, "name")
    return name === null ? [] : [licenseFact(name, "manifest", span)]
  })
  const group = textOf(root, "groupId") ?? textOf(root, "parent", "groupId")
  return [
    manifestFact([group, textOf(artifact.value)].filter((part) => part !== null).join(":"), artifact.span, {
      ecosystem: "maven",
      version: textOf(root, "version") ?? textOf(root, "parent", "version"),
      description: textOf(root, "description"),
      license: licenseFacts[0]?.subject ?? null,
      workspaces: membersOf(root, "modules").flatMap(({ value }) => textOf(value) ?? []),
      requires: java === null ? [] : [`java ${java}`]
    }),
    ...listingFacts(membersOf(root), (name) => LISTED.has(name)),
    ...licenseFacts,
    ...dependencies(find(root, "dependencies"), "dependency"),
    ...dependencies(find(root, "dependencyManagement", "dependencies"), "dependency"),
    ...dependencies(find(root, "build", "plugins"), "plugin", "build"),
    ...membersOf(root, "properties").map(({ name, span, value }) =>
      fact("setting", "maven", { name: clip(name), value: textOf(value) ?? "" }, span)
    )
  ]
})
