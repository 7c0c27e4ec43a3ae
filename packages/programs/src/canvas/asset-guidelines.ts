/** asset-guidelines.md: the pictures, films, sounds and fonts there are: format, size, use, and what is wrong with their use. */
import { absence, type Artifact, type Block, claim, question } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { type Asset, assetsOf } from "../map/assets.ts"
import { code, count } from "../map/words.ts"

const MOST = 40

const factsOf = ({ file, picture, uses }: Asset): ReadonlyArray<AnyFact> => [
  ...picture === undefined ? [] : [picture],
  ...uses.map(({ fact }) => fact),
  ...picture === undefined && uses.length === 0 && file !== undefined ? [file] : []
]

const sizeOf = ({ file, picture }: Asset): string => {
  const { height, width } = picture?.value.attributes ?? {}
  const side = width === undefined || height === undefined ? "" : `${width} × ${height}`
  const bytes = file === undefined ? "" : `${file.value.bytes} bytes`
  return [side, bytes].filter((text) => text !== "").join(", ")
}

const assets = (found: ReadonlyArray<Asset>): ReadonlyArray<Block> =>
  table(
    ["asset", "format", "size", "uses"],
    found.filter(({ missing }) => !missing).slice(0, MOST).flatMap((asset) =>
      rowOf([code(asset.path), asset.format, sizeOf(asset), String(asset.uses.length)], factsOf(asset))
    )
  )

/** Those that no line names: a binary one is known by its path alone, and has no line to be cited by. */
const unused = (found: ReadonlyArray<Asset>, files: number): ReadonlyArray<Block> => {
  const silent = found.filter(({ uses }) => uses.length === 0).map(({ path }) => path)
  const more = silent.length > 8 ? ` and ${silent.length - 8} more` : ""
  return silent.length === 0
    ? []
    : [absence(`No document or page names ${silent.slice(0, 8).map(code).join(", ")}${more}.`, files)]
}

const broken = (found: ReadonlyArray<Asset>): ReadonlyArray<Block> =>
  found.filter(({ missing }) => missing).slice(0, MOST).flatMap(({ path, uses }) =>
    claimOf(`${code(path)} is shown, and not in the repository`, uses.map(({ fact }) => fact))
  )

const withoutText = (found: ReadonlyArray<Asset>): ReadonlyArray<Block> =>
  found.flatMap(({ path, uses }) =>
    uses.filter(({ alt }) => alt === null).map(({ fact }) => claim(`${code(path)} has no alternative text`, fact))
  )
    .slice(0, MOST)

/** Formats of one name: which of them is the source? */
const twins = (found: ReadonlyArray<Asset>): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(found, ({ path }) => path.replace(/(?:@\dx)?\.[^.]+$/u, ""))).filter(([, group]) => group.length > 1).slice(0, 5)
    .map(([name, group]) => question(`which of ${code(name)} (${group.map(({ format }) => format).join(", ")}) is the original?`))

const formats = (found: ReadonlyArray<Asset>): string =>
  [...Map.groupBy(found, ({ format }) => format)].map(([format, group]) => count(group.length, format, format)).join(", ")

export const assetGuidelines = (project: Project): Artifact => {
  const found = assetsOf(project)
  const files = project.searched() + project.skipped.length
  const title = found.length === 0 ? "assets" : formats(found)
  return page(`${project.description.project_name}: ${title}`, [
    {
      title: "Assets",
      blocks: found.length === 0 ? [absence("No picture, film, sound or font.", files)] : [...assets(found), ...unused(found, files)]
    },
    { title: "Not there", blocks: broken(found) },
    { title: "Without words", blocks: withoutText(found) },
    { title: "Originals", blocks: twins(found) }
  ])
}
