/** A sequence of messages between parties, drawn as SVG. What it says also stands in a table: it is a picture. Pure. */
import { attributes, type Html, html } from "@svc/design/html"

export interface Message {
  /** The places of the parties in their list. A message to oneself is something that a party does. */
  readonly from: number
  readonly to: number
  readonly text: string
  readonly detail?: string
}

const [COLUMN, ROW, TOP] = [240, 48, 48]

const centre = (party: number): number => party * COLUMN + COLUMN / 2

const arrow = ({ from, text, to }: Message, at: number): Html => {
  const y = TOP + (at + 1) * ROW
  const [start, end] = [centre(from), centre(to)]
  if (from === to) {
    return html`<circle cx="${start}" cy="${y - 6}" r="5"></circle><text x="${start + 12}" y="${y - 2}">${text}</text>`
  }
  const point = end > start ? -8 : 8
  const line = attributes({ x1: start, y1: y, x2: end, y2: y, stroke: "currentColor", "stroke-width": 1.5 })
  return html`<line${line}></line><path d="M${end} ${y}l${point} -5v10z"></path><text x="${(start + end) / 2}" y="${
    y - 8
  }" text-anchor="middle">${text}</text>`
}

export const sequenceDrawing = (label: string, parties: ReadonlyArray<string>, messages: ReadonlyArray<Message>): Html => {
  const [width, height] = [parties.length * COLUMN, TOP + (messages.length + 1) * ROW]
  const all = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, "font-size": 14, fill: "currentColor" }
  const lifeline = (x: number) =>
    attributes({
      x1: x,
      y1: 36,
      x2: x,
      y2: height - 12,
      stroke: "currentColor",
      "stroke-opacity": 0.35,
      "stroke-dasharray": "4 4"
    })
  return html`<svg${attributes(all)}>${
    parties.map((party, at) =>
      html`<text x="${centre(at)}" y="24" text-anchor="middle" font-weight="600">${party}</text><line${lifeline(centre(at))}></line>`
    )
  }${messages.map(arrow)}</svg>`
}
