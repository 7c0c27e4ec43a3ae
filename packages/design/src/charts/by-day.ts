/**
 * Amounts by day: bars of what moved, steps of what was there. The labels are text of the page, which no size of a picture makes smaller.
 */
import { attributes, type Content, type Html, html } from "../html.ts"
import { pictureOf, type Told } from "./picture.ts"
import { type Scale, scaleOf, short } from "./scale.ts"

export interface Series {
  readonly name: string
  /** One a day, minor units. */
  readonly values: ReadonlyArray<number>
}

export interface ByDay extends Told {
  /** Three at most: more are not told apart. */
  readonly series: ReadonlyArray<Series>
  /** A value as the axis says it. */
  readonly label: (value: number) => string
  /** The first and the last day, as people write them. */
  readonly ends: readonly [string, string]
}

const [WIDTH, HEIGHT] = [600, 160]

const heightAt = ({ at }: Scale, value: number): number => short(HEIGHT * (1 - at(value)))

/** What each series looks like, beside its name: colour is never all that tells. */
const legend = (series: ReadonlyArray<Series>, sample: Content): Html =>
  html`<ul class="legend">${
    series.map(({ name }, n) =>
      html`<li><svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true" focusable="false"><g class="series-${
        n + 1
      }">${sample}</g></svg>${name}</li>`
    )
  }</ul>`

const plot = (told: ByDay, draw: (series: Series, scale: Scale, width: number) => Content): Html => {
  const scale = scaleOf(told.series.flatMap(({ values }) => values))
  const days = Math.max(1, ...told.series.map(({ values }) => values.length))
  const lines = scale.ticks.map((tick) => {
    const y = heightAt(scale, tick)
    return html`<line${attributes({ class: tick === 0 ? "zero" : "grid", x1: 0, x2: WIDTH, y1: y, y2: y })}></line>`
  })
  const drawn = told.series.map((series, n) => html`<g class="series-${n + 1}">${draw(series, scale, WIDTH / days)}</g>`)
  return html`<div class="plot"><ol class="values num" aria-hidden="true">${
    scale.ticks.toReversed().map((tick) => html`<li>${told.label(tick)}</li>`)
  }</ol>${pictureOf(told, { width: WIDTH, height: HEIGHT, stretched: true }, [lines, drawn])}<p class="ends" aria-hidden="true">${
    told.ends.map((end) => html`<span>${end}</span>`)
  }</p></div>`
}

/** A bar for each day and series, from zero: what came in upwards, what went out downwards. */
export const bars = (told: ByDay): Html =>
  html`${
    plot(told, ({ values }, scale, width) =>
      values.map((value, n) => {
        if (value === 0) return null
        const [top, bottom] = [heightAt(scale, Math.max(0, value)), heightAt(scale, Math.min(0, value))]
        // What is smaller than a pixel is seen all the same.
        const height = Math.max(1.5, short(bottom - top))
        return html`<rect x="${short((n + 0.1) * width)}" y="${value < 0 ? top : short(bottom - height)}" width="${
          short(0.8 * width)
        }" height="${height}"></rect>`
      }))
  }${legend(told.series, html`<rect x="6" width="12" height="12"></rect>`)}`

/** A line for each series, which moves at the beginning of a day to what was there at its end. */
export const steps = (told: ByDay): Html =>
  html`${
    plot(told, ({ values }, scale, width) => {
      const path = values.map((value, n) => {
        const y = heightAt(scale, value)
        return `${n === 0 ? `M0 ${y}` : `V${y}`}H${short((n + 1) * width)}`
      })
      return html`<path d="${path.join("")}"></path>`
    })
  }${legend(told.series, html`<path d="M0 6H24"></path>`)}`
