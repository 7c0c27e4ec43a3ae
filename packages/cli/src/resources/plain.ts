/**
 * Text of rows as a terminal may show it. A name that somebody else has chosen can hold orders for a terminal (ECMA-48), or marks that turn
 * the direction of what follows it: such characters are shown as their numbers.
 */

const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

const numberOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

export const plain = (text: string): string => text.replaceAll(UNSAFE, numberOf)

/** JSON text of the same value: of these characters only white space between values stands outside of its strings, and that is left out. */
export const plainJson = (text: string): string => plain(text.replaceAll(/[\n\r\t]+/gu, " ").trim())
