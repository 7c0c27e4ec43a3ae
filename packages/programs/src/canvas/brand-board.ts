/** brand-board.md: colours, letters and marks as styles and pictures have them. */
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { type Asset, assetsOf } from "../map/assets.ts"
import { coloursOf, fontSizesOf, fontsOf, type Swatch } from "../map/palette.ts"
import { code, count, listed } from "../map/words.ts"

const MOST_COLOURS = 24
const MOST = 10

const colours = (project: Project): ReadonlyArray<Block> =>
  table(
    ["colour", "named", "written"],
    coloursOf(project).slice(0, MOST_COLOURS).flatMap(({ names, tokens, written }) =>
      rowOf([code(written), names.length === 0 ? "–" : listed(names, 3), count(tokens.length, "time")], tokens)
    )
  )

const CHANNELS = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?:ff)?$/u
/** Colours so near that few eyes tell them apart: each channel by at most so much. */
const NEAR = 4

const channels = (value: string): ReadonlyArray<number> | undefined =>
  CHANNELS.exec(value)?.slice(1).map((pair) => Number.parseInt(pair, 16))

const areNear = (one: Swatch, other: Swatch): boolean => {
  const [a, b] = [channels(one.value), channels(other.value)]
  return a !== undefined && b !== undefined && a.every((channel, at) => Math.abs(channel - (b[at] ?? 0)) <= NEAR)
}

/** Two spellings of what may have been meant as one colour. */
const nearColours = (project: Project): ReadonlyArray<Block> => {
  const shown = coloursOf(project).slice(0, 4 * MOST_COLOURS)
  return shown.flatMap((one, at) =>
    shown.slice(at + 1).filter((other) => areNear(one, other)).flatMap((other) =>
      claimOf(`${code(one.written)} and ${code(other.written)} differ by at most ${NEAR} of 255 a channel`, [
        ...one.tokens.slice(0, 1),
        ...other.tokens.slice(0, 1)
      ])
    )
  ).slice(0, MOST)
}

const fonts = (project: Project): ReadonlyArray<Block> =>
  fontsOf(project).slice(0, MOST).flatMap(({ names, tokens, value }) =>
    claimOf(`${names.length === 0 ? "" : `${listed(names, 2)}: `}${code(clip(value, 90))}, ${count(tokens.length, "time")}`, tokens)
  )

const sizes = (project: Project): ReadonlyArray<Block> => {
  const found = fontSizesOf(project)
  return claimOf(
    found.slice(0, MOST).map(({ tokens, value }) => `${code(value)} × ${tokens.length}`).join(", "),
    found.flatMap(({ tokens }) => tokens.slice(0, 1))
  )
}

const isMark = ({ path }: Asset): boolean => /logo|favicon|(?:^|[/_-])icon\.|brand|wordmark/iu.test(path)

const marks = (project: Project): ReadonlyArray<Block> =>
  assetsOf(project).filter((asset) => isMark(asset) && !asset.missing).slice(0, MOST).flatMap(({ path, picture, uses }) => {
    const title = picture?.value.text ?? ""
    return claimOf(`${code(path)}${title === "" ? "" : `, titled ${code(clip(title, 60))}`}, ${count(uses.length, "use")}`, [
      ...picture === undefined ? [] : [picture],
      ...uses.map(({ fact }) => fact)
    ])
  })

/** What a browser or a phone paints around the pages. */
const themeColours = (project: Project): ReadonlyArray<Block> =>
  project.facts("element").filter(({ subject }) => subject === "meta:theme-color").slice(0, MOST)
    .map((element) => claim(`Browsers paint ${code(element.value.attributes["content"] ?? "")}`, element))

export const brandBoard = (project: Project): Artifact => {
  const styles = project.searched({ roles: ["style", "page"] })
  return page(`${project.description.project_name}: board`, [
    { title: "Colours", blocks: [...colours(project), ...themeColours(project)], none: absence("No colour.", styles) },
    { title: "Nearly one colour", blocks: nearColours(project) },
    { title: "Letters", blocks: [...fonts(project), ...sizes(project)], none: absence("No font.", styles) },
    { title: "Marks", blocks: marks(project), none: absence("No logo or icon.", project.searched()) }
  ])
}
