/** Words of the search. */
import type { SearchTexts } from "../shapes/search.ts"

export const search: SearchTexts = {
  title: "Suche",
  label: "Alles durchsuchen",
  placeholder: "Suchen",
  button: "Suchen",
  found: (text) => `Suche nach „${text}“`,
  empty: "Suchen Sie eine ID, eine E-Mail-Adresse, einen Kunden, einen Namen oder den Anfang seiner Wörter, " +
    "eine Bestellung, eine Rechnungsnummer, die letzten vier Ziffern einer Karte, " +
    "eine Referenz eines Anbieters, einen Betrag wie $12.50, einen Tag oder einen Monat.",
  none: "Es wurde nichts gefunden.",
  refused: "Danach kann nicht gesucht werden",
  unfinished: "Ein Teil der Suche dauerte zu lange. Es gibt vielleicht mehr, als gezeigt wird.",
  understoodAs: (readings) => `Gesucht als: ${readings}.`,
  columns: { name: "Name", amount: "Betrag", state: "Stand", created: "Angelegt", matched: "Gefunden über" },
  matches: {
    id: "ID",
    invoice_number: "Rechnungsnummer",
    email: "E-Mail-Adresse",
    customer_reference: "Kundenreferenz",
    provider_reference: "Referenz des Anbieters",
    order_reference: "Bestellung",
    name: "Name",
    last_four: "letzte vier Ziffern",
    date: "Datum",
    amount: "Betrag",
    id_beginning: "Anfang einer ID"
  }
}
