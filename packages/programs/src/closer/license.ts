/** packaging/LICENSE: the text of the licence that was found, as it is, or one line that none was. */
import { comments } from "../claims/comments.ts"
import { absence, type Artifact } from "../claims/model.ts"
import { citationsAt } from "../claims/places.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import { memo } from "../map/memo.ts"
import { pathOf } from "../map/uses.ts"
import { nearestFile, productOf } from "./product.ts"

export const LICENSE_NAMES = "LICENSE, LICENCE, COPYING, UNLICENSE"

const ending = (path: string): number => path.slice(path.lastIndexOf("/") + 1).search(/[.-]|$/u) - path.length

/** Files of licences of the product's folder, or of the nearest folder above that has one; the plainest name first. */
export const licensesOf: (project: Project) => ReadonlyArray<Fact<"license-text">> = memo((project) => {
  const byFolder = Map.groupBy(project.facts("license-text"), (text) => folderOf(pathOf(text)))
  return nearestFile(productOf(project).folder, (folder) => byFolder.get(folder))
    ?.toSorted((one, other) => ending(other.subject) - ending(one.subject) || byText(one.subject, other.subject)) ?? []
})

/** The licence that is copied. */
export const copiedLicense = (project: Project): Fact<"license-text"> | undefined =>
  licensesOf(project).find(({ value: { text } }) => text !== "")

const noLicense = (project: Project): string => {
  const [unread] = licensesOf(project)
  return unread === undefined
    ? `No licence was found: no file is named ${LICENSE_NAMES}.`
    : `${unread.subject} is not copied: ${unread.value.reason ?? "it is empty"}.`
}

export const license = (project: Project): Artifact => {
  const found = copiedLicense(project)
  if (found !== undefined) {
    return { text: found.value.text, evidence: "cited", citations: citationsAt(1, [found]) }
  }
  const said = comments("#", [absence(noLicense(project), project.searched())]).map(({ text }) => text.slice(2))
  return { text: `${said.join("\n")}\n`, evidence: "none", citations: [] }
}
