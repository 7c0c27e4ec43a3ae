/** Words of the export of a list, and of the sums under it. */
import type { ExportTexts } from "../shapes/exports.ts"

export const exports: ExportTexts = {
  title: "Export",
  note: "All rows that match the filters, newest first. " +
    "A download that broke off goes on behind its last whole row: write &after= and the id of that row behind its address.",
  columns: "Columns",
  format: "Format",
  formats: { csv: "CSV, for spreadsheets", ndjson: "NDJSON, one JSON text a line" },
  timeZone: "Time zone, such as Europe/Berlin",
  save: "Save the file",
  unknown: (name) => `This list has no filter ${name}. Nothing was exported.`,
  unknownFormat: (format) => `There is no format ${format}: ask for csv or ndjson.`,
  unknownColumn: (column) => `This list has no column ${column}. Choose from those of the form.`,
  unknownZone: (zone) => `${zone} is no time zone. Write the name of one, such as UTC or Europe/Berlin.`,
  showSums: "Show sums",
  sums: "Sums",
  sumsNote: "Of all rows that match the filters, for each currency.",
  count: "Rows",
  noSums: "No row matches these filters."
}
