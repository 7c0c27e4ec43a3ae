/** Words of the export of a list, and of the sums under it. */
import type { ExportTexts } from "../shapes/exports.ts"

export const exports: ExportTexts = {
  title: "Export",
  note: "Alle Zeilen, die zu den Filtern passen, die neuesten zuerst. Ein abgebrochener Download geht hinter seiner letzten ganzen " +
    "Zeile weiter: Schreiben Sie &after= und die ID dieser Zeile hinter seine Adresse.",
  columns: "Spalten",
  format: "Format",
  formats: { csv: "CSV, für Tabellenprogramme", ndjson: "NDJSON, je Zeile ein JSON-Text" },
  timeZone: "Zeitzone, zum Beispiel Europe/Berlin",
  save: "Datei sichern",
  unknown: (name) => `Diese Liste hat keinen Filter ${name}. Es wurde nichts exportiert.`,
  unknownFormat: (format) => `Es gibt kein Format ${format}: Wählen Sie csv oder ndjson.`,
  unknownColumn: (column) => `Diese Liste hat keine Spalte ${column}. Wählen Sie aus denen des Formulars.`,
  unknownZone: (zone) => `${zone} ist keine Zeitzone. Schreiben Sie den Namen einer Zeitzone, zum Beispiel UTC oder Europe/Berlin.`,
  showSums: "Summen zeigen",
  sums: "Summen",
  sumsNote: "Aller Zeilen, die zu den Filtern passen, je Währung.",
  count: "Zeilen",
  noSums: "Keine Zeile passt zu diesen Filtern."
}
