/** packaging-report.md: for each marketplace what it requires, what the repository says of that, and what is missing. */
import { code, list } from "../claims/inline.ts"
import { absence, type Artifact, type Block, claim, question, rule } from "../claims/model.ts"
import { claimOf, page, type Row, rowOf, type Section, table } from "../claims/sections.ts"
import { planOf } from "../delivery/plan.ts"
import { foldersInTheWay, SETUPTOOLS } from "../delivery/setuptools.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { pathOf } from "../map/uses.ts"
import { count } from "../map/words.ts"
import { nothingInMarkdown } from "../mcp/none.ts"
import { copiedLicense, LICENSE_NAMES, licensesOf } from "./license.ts"
import { type Field, type Listed, listedOf, unknownTargets } from "./marketplaces.ts"
import { productOf } from "./product.ts"

const shown = ({ items, text }: NonNullable<Field["found"]>): string =>
  items === undefined ? code(text, 80) : items.slice(0, 8).map((item) => code(item, 80)).join(", ")

const rowsOf = (fields: ReadonlyArray<Field>): ReadonlyArray<Row> =>
  fields.flatMap(({ found, name }) => found === undefined ? [] : rowOf([name, shown(found)], [found.fact], found.source))

const missing = (fields: ReadonlyArray<Field>): ReadonlyArray<string> =>
  fields.flatMap(({ found, name }) => found === undefined ? [name] : [])

const marketplaceSection = (project: Project, { marketplace: { name, rule: text, source }, offer }: Listed): Section => {
  if (offer === undefined) {
    return { title: name, blocks: [], none: absence(`Nothing here is listed at ${name}.`, project.searched()) }
  }
  const { path, refused, required, wanted } = offer
  // A Dockerfile may be one that is made, and none of the repository.
  const named = project.factsOf(path, "file").length === 0 ? path : code(path)
  const lacking = missing(required)
  const open = missing(wanted)
  return {
    title: name,
    blocks: [
      // A rule that is kept says the same of every package.
      ...refused === undefined && lacking.length === 0 ? [] : [rule(text, source)],
      ...table(["field", "value"], rowsOf([...required, ...wanted])),
      ...refused === undefined ? [] : [claim(`${named} is refused: ${refused.text}.`, refused.fact)],
      ...lacking.length === 0 ? [] : [absence(`${named} lacks ${list(lacking)}, without which it is not listed.`, 1)],
      ...open.length === 0 ? [] : [question(`what does ${named} say of ${list(open)}?`)]
    ]
  }
}

/** A file of another family than what the manifest declares. Terms that are no SPDX expression say nothing of the family. */
const contradicts = (declared: Fact<"license">, file: Fact<"license">): boolean =>
  declared.value.spdx && !declared.subject.includes(file.subject.split("-")[0] ?? "")

const declaredBlocks = (declared: Fact<"license">, file: Fact<"license"> | undefined): ReadonlyArray<Block> =>
  file !== undefined && contradicts(declared, file)
    ? [claim(`The manifest declares ${code(declared.subject)}, the file is ${code(file.subject)}: one of them is wrong.`, declared, file)]
    : [claim(`Declared: ${code(declared.subject)}.`, declared)]

const licenseBlocks = (project: Project): ReadonlyArray<Block> => {
  const { manifest } = productOf(project)
  const copied = copiedLicense(project)
  const [file] = copied === undefined ? [] : project.factsOf(copied.subject, "license")
  const [declared] = manifest === undefined ? [] : project.factsOf(pathOf(manifest), "license")
  return [
    ...copied === undefined ? [] : [
      claim(
        `${code(file?.subject ?? copied.subject)}, copied from ${code(copied.value.text.trimStart().split("\n")[0] ?? "", 60)} on, ` +
          `${copied.value.reason ?? count(Buffer.byteLength(copied.value.text), "byte")}.`,
        copied
      )
    ],
    ...licensesOf(project).filter((one) => one !== copied).map((one) =>
      claim(`${code(one.subject)} is a licence, too, and is not copied${one.value.reason === null ? "" : `: ${one.value.reason}`}.`, one)
    ),
    ...declared === undefined ? [] : declaredBlocks(declared, file)
  ]
}

/** What this report's own bundle would break. */
const inTheWay = (project: Project): ReadonlyArray<Block> => {
  const plan = planOf(project)
  const folders = plan === undefined ? [] : foldersInTheWay(project, plan)
  if (plan === undefined || folders.length === 0) return []
  return claimOf(
    `No packages are named: beside ${list(folders.map((folder) => code(folder)))}, which artifacts bring, ${
      code("pip install .")
    } stops. ` +
      `Name them by ${code("packages")} below ${code("[tool.setuptools]")} first.`,
    plan.manifest,
    SETUPTOOLS
  )
}

const wishes = (project: Project): ReadonlyArray<Block> => {
  const { missingFolder } = productOf(project)
  return [
    ...unknownTargets(project).map((target) => question(`which fields does ${code(target)} require? No rule of it is known here.`)),
    ...missingFolder === undefined ? [] : [
      absence(`The folder ${code(missingFolder)} that was asked for is not there; the root is packaged.`, project.searched())
    ]
  ]
}

export const packagingReport = (project: Project): Artifact => {
  const sections = listedOf(project).map((listed) => marketplaceSection(project, listed))
  const licensing = licenseBlocks(project)
  const asked = wishes(project)
  if (sections.every(({ blocks }) => blocks.length === 0) && licensing.length + asked.length === 0) {
    return nothingInMarkdown(project, "Packaging", `No manifest, image, action, plugin or licence (${LICENSE_NAMES}).`)
  }
  return page(`Packaging of ${productOf(project).name}`, [
    { title: "Licence", blocks: licensing, none: absence(`No licence: no file is named ${LICENSE_NAMES}.`, project.searched()) },
    ...sections,
    { title: "Before the bundle lies in the repository", blocks: inTheWay(project) },
    { title: "Asked for", blocks: asked }
  ])
}
