/** Words of the frame, of lists, details and forms, and of refusals. */
import type { ActionTexts, DetailTexts, FrameTexts, ListTexts, RefusalTexts } from "../shapes/engine.ts"

export const nav: FrameTexts = {
  label: "Dashboard",
  menu: "Menü",
  home: "Start",
  signOut: "Abmelden",
  skip: "Zum Inhalt",
  signedInAs: (name, role) => `${name}, ${role}`,
  fresh: "Es hat sich etwas geändert. Anzeigen."
}

export const list: ListTexts = {
  filter: "Anwenden",
  filters: "Filter",
  clear: "Zurücksetzen",
  first: "Neueste",
  older: "Ältere",
  newer: "Neuere",
  pages: "Seiten",
  any: "Alle",
  noMatch: "Nichts passt zu diesen Filtern.",
  amountOfCurrency: "Geben Sie auch eine Währung an: Der Betrag wird in ihr gelesen.",
  from: (field) => `${field}, ab (UTC)`,
  before: (field) => `${field}, vor (UTC)`,
  least: (field) => `${field}, mindestens`,
  most: (field) => `${field}, höchstens`
}

export const detail: DetailTexts = {
  facts: "Angaben",
  actions: "Aktionen",
  all: (things) => `${things}: alle`,
  raw: "Als JSON",
  another: "Sie haben darum gebeten. Eine andere Person entscheidet.",
  rows: {
    number: "Nummer",
    outcome: "Ergebnis",
    response_status: "Antwort",
    duration_ms: "Millisekunden",
    error: "Fehler",
    quantity: "Menge",
    unit_amount: "Einzelpreis",
    last_four: "Endet auf",
    field: "Feld"
  }
}

export const action: ActionTexts = {
  keep: "Zurück",
  final: "Das lässt sich nicht rückgängig machen.",
  optional: "optional",
  utc: "UTC",
  line: "je Zeile eins",
  choose: "Bitte wählen",
  each: "Alle",
  unlimited: "Alle, auch die später dazukommen",
  notSent: "Es wurde nichts geändert: Ein Betrag ist nicht lesbar.",
  noAmount: (currency, digits) =>
    digits === 0
      ? `Schreiben Sie ganze ${currency}, zum Beispiel 12.`
      : `Schreiben Sie einen Betrag in ${currency}, zum Beispiel 12.${"50".padEnd(digits, "0").slice(0, digits)}.`,
  noDecimal: "Schreiben Sie einen Betrag wie 12.50.",
  eachCurrency: "100.00 heißt 100.00 USD oder 10000 JPY",
  minorUnits: "Beträge in dieser Meldung zählen die kleinste Einheit der Währung, zum Beispiel Cent.",
  done: (done) => `${done}: erledigt.`,
  next: (action) => `Als Nächstes: ${action}.`,
  most: (currency, most) => `In ${currency}, höchstens ${most}; leer heißt alles`,
  changed: "Inzwischen wurde hier oder anderswo etwas geändert. Es wurde nichts getan. Sehen Sie den Stand an und entscheiden Sie neu.",
  impossible: { title: "Das geht jetzt nicht", text: "Der Gegenstand hat sich geändert. Sehen Sie sich den jetzigen Stand an." },
  shownOnce: {
    title: "Wird nur einmal gezeigt",
    text: "Kopieren Sie es jetzt dorthin, wo Sie Geheimnisse aufbewahren. Es kann nicht noch einmal gezeigt werden."
  },
  copy: "Kopieren",
  copied: "Kopiert",
  onward: "Ich habe es"
}

export const refusals: RefusalTexts = {
  unauthorized: { title: "Bitte neu anmelden", text: "Ihre Sitzung ist beendet. Es wurde nichts geändert." },
  forbidden: { title: "Ihre Rolle erlaubt das nicht", text: "Fragen Sie einen Inhaber des Kontos." },
  rolesThatMay: (roles) => `Diese Rollen dürfen es: ${roles}. Fragen Sie einen Inhaber des Kontos danach.`,
  notFound: { title: "Hier ist nichts", text: "Die Adresse ist falsch oder gehört zu einem anderen Konto." },
  conflict: { title: "Das passt nicht zum jetzigen Stand", text: "Es wurde nichts geändert." },
  limited: { title: "Zu viele Anfragen auf einmal", text: "Es wurde nichts geändert. Versuchen Sie es gleich noch einmal." },
  wait: (seconds) => `Es wurde nichts geändert. Versuchen Sie es in ${seconds} s noch einmal.`,
  unavailable: {
    title: "Der Dienst kann gerade nicht antworten",
    text: "Versuchen Sie es gleich noch einmal. Ein Formular, das zweimal gesendet wird, bewirkt nichts doppelt."
  },
  broken: {
    title: "Etwas ist kaputt",
    text: "Versuchen Sie es gleich noch einmal. Ein Formular, das zweimal gesendet wird, bewirkt nichts doppelt."
  }
}
