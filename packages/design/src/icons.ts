/** The few drawings of the pages. Each stands beside words that say the same, so none is read aloud. */
import { raw } from "./html.ts"

const drawn = (shape: string, flips = false) =>
  raw(
    `<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"${
      flips ? ` class="flip"` : ""
    }>${shape}</svg>`
  )

export const tick = drawn(`<path d="m5 12.5 4.5 4.5L19 7.5"/>`)
export const cross = drawn(`<path d="m7 7 10 10M17 7 7 17"/>`)
export const caution = drawn(`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5v.01"/>`)
export const clock = drawn(`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`)
export const magnifier = drawn(`<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>`)
/** Points to where the reader came from, in either direction of writing. */
export const backwards = drawn(`<path d="M19 12H5m6-6-6 6 6 6"/>`, true)
export const spinner = raw(`<span class="spin" aria-hidden="true"></span>`)
