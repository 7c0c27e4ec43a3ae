/** Colours and whether they can be read on one another: the contrast of WCAG 2.2, computed for whatever colour a merchant has. */

/** `#rrggbb`. */
export type Hex = string

type Rgb = readonly [red: number, green: number, blue: number]

const rgbOf = (hex: Hex): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const hexOf = (rgb: Rgb): Hex => `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`

/** Of sRGB, as WCAG 2.2 defines it: 0 for black, 1 for white. */
export const luminanceOf = (hex: Hex): number => {
  const [red, green, blue] = rgbOf(hex).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** From 1, which nobody can read, to 21. */
export const contrastOf = (one: Hex, other: Hex): number => {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

/** What WCAG 2.2 asks for: text (1.4.3), and what shows where a control is (1.4.11). */
export const TEXT_CONTRAST = 4.5
export const SHAPE_CONTRAST = 3

const WHITE = "#ffffff"
const BLACK = "#000000"

/** The text colour on this background: white where it can be read, else black. One of them always has 4.5 or more. */
export const textOn = (background: Hex): Hex => contrastOf(WHITE, background) >= TEXT_CONTRAST ? WHITE : BLACK

const mix = (from: Hex, to: Hex, share: number): Hex => {
  const target = rgbOf(to)
  const [red, green, blue] = rgbOf(from).map((channel, at) => channel + ((target[at] ?? 0) - channel) * share)
  return hexOf([red ?? 0, green ?? 0, blue ?? 0])
}

/** The colour itself, or the nearest to it, towards black or white, that has at least this contrast with every background. */
export const readableOn = (colour: Hex, backgrounds: ReadonlyArray<Hex>, contrast = TEXT_CONTRAST): Hex => {
  const dark = backgrounds.every((background) => textOn(background) === WHITE)
  for (let step = 0; step < 20; step++) {
    const shade = mix(colour, dark ? WHITE : BLACK, step / 20)
    if (backgrounds.every((background) => contrastOf(shade, background) >= contrast)) return shade
  }
  return dark ? WHITE : BLACK
}

/** Nearer to the text colour on it, for the moment when a pointer is over it. The text stays as readable. */
export const pressed = (colour: Hex): Hex => mix(colour, textOn(colour) === WHITE ? BLACK : WHITE, 0.14)
