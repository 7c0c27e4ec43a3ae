/** Words of the export of a list, and of the sums under it. */
import type { ExportTexts } from "../shapes/exports.ts"

export const exports: ExportTexts = {
  title: "Exportar",
  note: "Todas las filas que coinciden con los filtros, las más recientes primero. Una descarga interrumpida sigue tras su última " +
    "fila entera: añada &after= y el ID de esa fila a su dirección.",
  columns: "Columnas",
  format: "Formato",
  formats: { csv: "CSV, para hojas de cálculo", ndjson: "NDJSON, un texto JSON por línea" },
  timeZone: "Zona horaria, por ejemplo Europe/Berlin",
  save: "Guardar el archivo",
  unknown: (name) => `Esta lista no tiene el filtro ${name}. No se exportó nada.`,
  unknownFormat: (format) => `No existe el formato ${format}: elija csv o ndjson.`,
  unknownColumn: (column) => `Esta lista no tiene la columna ${column}. Elija entre las del formulario.`,
  unknownZone: (zone) => `${zone} no es una zona horaria. Escriba el nombre de una, por ejemplo UTC o Europe/Berlin.`,
  showSums: "Mostrar sumas",
  sums: "Sumas",
  sumsNote: "De todas las filas que coinciden con los filtros, por moneda.",
  count: "Filas",
  noSums: "Ninguna fila coincide con estos filtros."
}
