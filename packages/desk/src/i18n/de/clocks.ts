/** What the page of the test clock says. */
import type { ClockTexts } from "../shapes/clocks.ts"

export const clock: ClockTexts = {
  title: "Testuhr",
  none: "Diese Sandbox lebt nach der Weltzeit",
  noneNote: "Mit einer eigenen Uhr sehen Sie heute, was in einem Jahr geschieht: Sie steht, bis Sie sie vorstellen, und geht nie zurück.",
  live: "Echte Konten haben keine Testuhr. Öffnen Sie das Dashboard eines Sandbox-Kontos.",
  give: "Eine Uhr geben",
  now: "Jetzige Zeit des Kontos",
  statuses: { ready: "steht", advancing: "ist unterwegs" },
  nextDue: "Als Nächstes fällig",
  nothingDue: "Nichts steht an.",
  since: "Seit",
  advance: "Vorstellen",
  by: { hour: "1 Stunde", day: "1 Tag", week: "1 Woche", month: "1 Monat" },
  toNext: "Bis zur nächsten Fälligkeit",
  toMoment: "Bis zu diesem Zeitpunkt vorstellen",
  moment: "Zeitpunkt (UTC)",
  watching: "Die Uhr ist unterwegs. Diese Seite sieht von selbst wieder nach.",
  stop: "Hier anhalten",
  stopped: (reason) => `Das letzte Vorstellen endete früher: ${reason}.`,
  onTheWay: "Was unterwegs geschah",
  lately: "Was zuletzt geschah",
  nothingHappened: "Es geschah nichts.",
  more: "Es geschah noch mehr; das Ereignisprotokoll hat alles.",
  refused: "Die Uhr wurde nicht bewegt",
  remove: "Uhr entfernen",
  removeNote: "Das Konto lebt dann wieder nach der Weltzeit. Das geht nur, solange nichts von der Uhr abhängt."
}
