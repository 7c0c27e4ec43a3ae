/**
 * The words that the design is made of: colours, light and dark, space, type and shape. Components use these and no number of their own.
 */
import { contrastOf, type Hex, pressed, readableOn, SHAPE_CONTRAST, textOn } from "./colour.ts"

export const schemes = ["light", "dark"] as const
export type Scheme = typeof schemes[number]

/** Each has text contrast on `ground` and `surface` where it is text, and 3:1 where it is the edge of a control. */
export const palette = {
  light: {
    ground: "#f5f6f8",
    surface: "#ffffff",
    text: "#14171c",
    muted: "#565d6b",
    line: "#e1e4ea",
    edge: "#868d9b",
    danger: "#b3211a",
    "danger-ground": "#fdf1f0",
    good: "#0f6b3a",
    "good-ground": "#e9f6ee",
    notice: "#6b4e00",
    "notice-ground": "#fdf3d7",
    focus: "#1a56db"
  },
  dark: {
    ground: "#0e1014",
    surface: "#16191f",
    text: "#eceef2",
    muted: "#a4abb9",
    line: "#2a2f39",
    edge: "#717886",
    danger: "#ffb0a8",
    "danger-ground": "#3a1614",
    good: "#83dca8",
    "good-ground": "#0e2f1e",
    notice: "#f0cf7a",
    "notice-ground": "#332808",
    focus: "#8fb6ff"
  }
} as const satisfies Readonly<Record<Scheme, Readonly<Record<string, Hex>>>>

/** Of a merchant without a colour: ink on paper, paper on ink. */
const INK = { light: "#14171c", dark: "#eceef2" } as const satisfies Readonly<Record<Scheme, Hex>>

const measures = {
  "space-1": ".25rem",
  "space-2": ".5rem",
  "space-3": ".75rem",
  "space-4": "1rem",
  "space-5": "1.5rem",
  "space-6": "2rem",
  "space-7": "3rem",
  "space-8": "5rem",
  "type-small": ".875rem",
  "type-body": "1rem",
  "type-large": "1.125rem",
  "type-title": "1.5rem",
  "type-amount": "clamp(2rem, 1.6rem + 1.6vw, 2.5rem)",
  radius: ".5rem",
  "radius-large": ".75rem",
  // WCAG 2.5.8 asks for 24 px; a thumb asks for more.
  target: "2.875rem",
  measure: "26rem"
} as const

const declared = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values).map(([name, value]) => `--${name}:${value}`).join(";")

/** The tokens as CSS: the same for every merchant. */
export const TOKENS = `:root{color-scheme:light dark;${declared(measures)};${
  declared(palette.light)
}}@media(prefers-color-scheme:dark){:root{${declared(palette.dark)}}}`

/** What a merchant's colour comes to in one scheme. */
const branded = (colour: Hex | null, scheme: Scheme): Readonly<Record<string, Hex>> => {
  const { edge, ground, surface } = palette[scheme]
  const brand = colour ?? INK[scheme]
  const hover = pressed(brand)
  return {
    brand,
    "brand-hover": hover,
    "on-brand": textOn(brand),
    "on-brand-hover": textOn(hover),
    // A button that is nearly as light as the page needs an edge to be seen.
    "brand-edge": contrastOf(brand, surface) >= SHAPE_CONTRAST ? brand : edge,
    accent: readableOn(brand, [ground, surface])
  }
}

/** A merchant's colour as CSS. `colour` is `#rrggbb`, or null for the plain one. */
export const brandTokens = (colour: Hex | null): string =>
  `:root{${declared(branded(colour, "light"))}}@media(prefers-color-scheme:dark){:root{${declared(branded(colour, "dark"))}}}`
