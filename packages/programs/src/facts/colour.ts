/** Colours of CSS by their numbers. */

export interface Colour {
  readonly space: "srgb"
  /** Red, green and blue from 0 to 1. */
  readonly components: readonly [number, number, number]
  readonly alpha: number
}

const rounded = (number: number): number => Math.round(Math.min(1, Math.max(0, number)) * 1000) / 1000
const srgb = (red: number, green: number, blue: number, alpha = 1): Colour => ({
  space: "srgb",
  components: [rounded(red), rounded(green), rounded(blue)],
  alpha: rounded(alpha)
})

const part = (text: string, whole: number): number => text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text) / whole

/** CSS Color 4, 7.1. */
const ofHsl = (hue: number, saturation: number, lightness: number, alpha: number): Colour => {
  const channel = (offset: number): number => {
    const at = (offset + hue / 30) % 12
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(at - 3, 9 - at, 1))
  }
  return srgb(channel(0), channel(8), channel(4), alpha)
}

const HEX = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/iu
const FUNCTION = /^(rgb|hsl)a?\(\s*([\d.]+%?)(?:deg)?[\s,]+([\d.]+%?)[\s,]+([\d.]+%?)(?:[\s,/]+([\d.]+%?))?\s*\)$/iu

/** `#333`, `rgb(0 0 0 / 50%)`, `hsl(0, 0%, 20%)`, `white`; undefined for everything else. */
export const colourOf = (text: string): Colour | undefined => {
  if (/^(?:black|white)$/iu.test(text)) return text.toLowerCase() === "white" ? srgb(1, 1, 1) : srgb(0, 0, 0)
  const [, digits] = HEX.exec(text) ?? []
  if (digits !== undefined) {
    const pairs = digits.length < 6 ? Array.from(digits, (digit) => digit + digit) : digits.match(/../gu) ?? []
    const [red = 0, green = 0, blue = 0, alpha = 1] = pairs.map((pair) => Number.parseInt(pair, 16) / 255)
    return srgb(red, green, blue, alpha)
  }
  const [, name, one, two, three, fourth = "1"] = FUNCTION.exec(text) ?? []
  if (name === undefined || one === undefined || two === undefined || three === undefined) return undefined
  const alpha = part(fourth, 1)
  const colour = name.toLowerCase() === "hsl"
    ? ofHsl(Number.parseFloat(one) % 360, part(two, 100), part(three, 100), alpha)
    : srgb(part(one, 255), part(two, 255), part(three, 255), alpha)
  return colour.components.some(Number.isNaN) || Number.isNaN(colour.alpha) ? undefined : colour
}
