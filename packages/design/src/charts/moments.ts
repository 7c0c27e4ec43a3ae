/** Moments on a line of time: a number and a sign for each, which a table beneath tells by the same number. Pure. */
import { type Attributes, attributes, type Html, html } from "../html.ts"
import { pictureOf, type Told } from "./picture.ts"
import { placesOf, short, spread } from "./scale.ts"

/** What happened and how it ended, what has to be done by then, or what comes by itself. */
export type MomentState = "done" | "good" | "bad" | "due" | "planned"

export interface Moment {
  /** Unix milliseconds. */
  readonly at: number
  readonly state: MomentState
}

export interface Moments extends Told {
  /** The earliest first. */
  readonly moments: ReadonlyArray<Moment>
  readonly now: number
  readonly nowText: string
}

const [WIDTH, HEIGHT, AXIS, EDGE] = [360, 74, 34, 18]
/** Signs keep so much of the line's length between them. */
const DISTANCE = 0.09

/** A form for each, because colour is never all that tells. */
const signs: Readonly<Record<MomentState, Html>> = {
  done: html`<circle r="6"></circle>`,
  good: html`<circle r="8"></circle><path class="within" d="m-3.5 .5 2.5 2.5 4.5 -5"></path>`,
  bad: html`<rect x="-7" y="-7" width="14" height="14" rx="2"></rect><path class="within" d="M-3 -3 3 3M3 -3 -3 3"></path>`,
  due: html`<path d="M0 -9 9 0 0 9 -9 0z"></path>`,
  planned: html`<circle r="6"></circle>`
}

const markOf = (state: MomentState, place: Attributes = {}): Html =>
  html`<g${attributes({ class: `moment ${state}`, ...place })}>${signs[state]}</g>`

/** A sign by itself, for the table beneath. */
export const signOf = (state: MomentState): Html => {
  const box = attributes({ class: "sign-of", viewBox: "-10 -10 20 20", width: 20, height: 20, "aria-hidden": "true" })
  return html`<svg${box}>${markOf(state)}</svg>`
}

/** The line of time until now and after it, and the present moment on it. */
const axis = (present: number, nowText: string): Html => {
  const anchor = present < WIDTH / 3 ? "start" : present > 2 * WIDTH / 3 ? "end" : "middle"
  return html`<path class="past" d="M0 ${AXIS}H${present}"></path><path class="ahead" d="M${present} ${AXIS}H${WIDTH}"></path>
<path class="now" d="M${present} 20V54"></path><text class="quiet" x="${present}" y="68" text-anchor="${anchor}">${nowText}</text>`
}

export const moments = (told: Moments): Html => {
  const { now, nowText } = told
  // The present has a place among them, and keeps its distance as they do.
  const before = told.moments.filter(({ at }) => at <= now).length
  const times = told.moments.map(({ at }) => at).toSpliced(before, 0, now)
  const places = spread(placesOf(times), DISTANCE).map((place) => short(EDGE + place * (WIDTH - 2 * EDGE)))
  const marks = told.moments.map(({ state }, n) => {
    const x = places[n < before ? n : n + 1] ?? 0
    return html`<text x="${x}" y="14" text-anchor="middle">${n + 1}</text>${markOf(state, { transform: `translate(${x} ${AXIS})` })}`
  })
  return pictureOf(told, { width: WIDTH, height: HEIGHT }, [axis(places[before] ?? WIDTH / 2, nowText), marks])
}
