/** Words of the export of a list, and of the sums under it. */
import type { ExportTexts } from "../shapes/exports.ts"

export const exports: ExportTexts = {
  title: "Exporter",
  note: "Toutes les lignes qui correspondent aux filtres, les plus récentes d’abord. Un téléchargement interrompu reprend après sa " +
    "dernière ligne entière : ajoutez &after= et l’identifiant de cette ligne à son adresse.",
  columns: "Colonnes",
  format: "Format",
  formats: { csv: "CSV, pour les tableurs", ndjson: "NDJSON, un texte JSON par ligne" },
  timeZone: "Fuseau horaire, par exemple Europe/Berlin",
  save: "Enregistrer le fichier",
  unknown: (name) => `Cette liste n’a pas de filtre ${name}. Rien n’a été exporté.`,
  unknownFormat: (format) => `Il n’y a pas de format ${format} : choisissez csv ou ndjson.`,
  unknownColumn: (column) => `Cette liste n’a pas de colonne ${column}. Choisissez parmi celles du formulaire.`,
  unknownZone: (zone) => `${zone} n’est pas un fuseau horaire. Écrivez-en un, par exemple UTC ou Europe/Berlin.`,
  showSums: "Afficher les sommes",
  sums: "Sommes",
  sumsNote: "De toutes les lignes qui correspondent aux filtres, par devise.",
  count: "Lignes",
  noSums: "Aucune ligne ne correspond à ces filtres."
}
