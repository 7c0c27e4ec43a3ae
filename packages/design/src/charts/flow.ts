/** How money moved between places: a lane for each place, and an arrow for each movement, from above downwards. Pure. */
import { isolated } from "../format.ts"
import { type Html, html } from "../html.ts"
import { pictureOf, type Told } from "./picture.ts"
import { short } from "./scale.ts"

export interface Movement {
  /** What happened, with its amount. */
  readonly text: string
  /** From which lane to which, by their numbers from 0. */
  readonly arrows: ReadonlyArray<readonly [from: number, to: number]>
}

export interface Flow extends Told {
  readonly lanes: ReadonlyArray<string>
  readonly movements: ReadonlyArray<Movement>
  /** What each lane holds in the end, a row a currency; null where a lane holds nothing of its own. */
  readonly held: ReadonlyArray<ReadonlyArray<string | null>>
}

// As wide as a phone: what is wider shows it somewhat larger.
const [WIDTH, HEAD, ROW, FOOT] = [360, 26, 42, 22]
/** Half of a letter of a lane's name, on average. */
const HALF_LETTER = 3.5

const arrow = (from: number, to: number, y: number): Html => {
  const back = from < to ? -8 : 8
  return html`<path class="shaft" d="M${from} ${y}H${
    short(to + back / 2)
  }"></path><circle class="dot" cx="${from}" cy="${y}" r="3"></circle><path class="head" d="M${to} ${y}l${back} -5v10z"></path>`
}

export const flow = (told: Flow): Html => {
  const { held, lanes, movements } = told
  const width = WIDTH / lanes.length
  const middle = (lane: number): number => short((lane + 0.5) * width)
  /** The middle of its lane's name, which is not cut off at an edge. */
  const nameAt = (lane: number, name: string): number => {
    const half = name.length * HALF_LETTER
    return Math.max(half, Math.min(WIDTH - half, middle(lane)))
  }
  const bottom = HEAD + movements.length * ROW
  const rows = movements.map(({ arrows, text }, n) => {
    const y = HEAD + n * ROW
    const leftmost = Math.min(...arrows.flat())
    // On the right half text ends at the edge, so that none of it is cut off.
    const [x, anchor] = leftmost < lanes.length / 2 ? [Math.max(4, leftmost * width), "start"] : [WIDTH - 4, "end"]
    return html`<text x="${x}" y="${y + 16}" text-anchor="${anchor}">${isolated(text)}</text>${
      arrows.map(([from, to]) => arrow(middle(from), middle(to), y + 30))
    }`
  })
  /** A lane stops where a movement's text stands, so that none of it is struck through. */
  const laneAt = (x: number): string =>
    [`M${x} ${HEAD - 6}v6`, ...movements.map((_, n) => `M${x} ${HEAD + n * ROW + 21}V${HEAD + (n + 1) * ROW + 3}`)].join("")
  const ends = held.flatMap((amounts, n) =>
    amounts.map((amount, lane) =>
      amount === null
        ? null
        : html`<text class="strong" x="${middle(lane)}" y="${bottom + 16 + n * FOOT}" text-anchor="middle">${amount}</text>`
    )
  )
  return pictureOf(told, { width: WIDTH, height: bottom + held.length * FOOT + 4 }, [
    lanes.map((name, lane) =>
      html`<path class="lane" d="${laneAt(middle(lane))}"></path><text class="quiet" x="${
        nameAt(lane, name)
      }" y="14" text-anchor="middle">${name}</text>`
    ),
    rows,
    ends
  ])
}
