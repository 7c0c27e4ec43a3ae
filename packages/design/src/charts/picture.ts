/** What all pictures have: a name and a description for who does not see them, and strokes that a page's size does not change. Pure. */
import { attributes, type Content, type Html, html } from "../html.ts"

export interface Told {
  /** Of the page: no other picture has it. */
  readonly id: string
  /** What is shown. */
  readonly title: string
  /** What it comes to, in a sentence. */
  readonly description: string
}

export interface Size {
  readonly width: number
  readonly height: number
  /** It fills the place that it has, whose form may be another. Such a picture has no text. */
  readonly stretched?: boolean
}

export const pictureOf = ({ description, id, title }: Told, { height, stretched = false, width }: Size, content: Content): Html =>
  html`<svg${
    attributes({
      class: stretched ? "picture stretched" : "picture",
      role: "img",
      "aria-labelledby": `${id}-title ${id}-desc`,
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: stretched ? "none" : undefined
    })
  }><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${content}</svg>`
