import type { HomeTexts } from "../shapes/home.ts"

const of = (count: number, one: string, many: string): string => count === 1 ? one : `${count} ${many}`

export const home: HomeTexts = {
  attention: {
    title: "Zu erledigen",
    none: "Es gibt nichts zu erledigen.",
    kinds: {
      webhook_endpoint_failing: (count) => `Der Webhook-Endpunkt nimmt Zustellungen nicht an: ${count} fehlgeschlagen.`,
      payout_failed: () => "Eine Auszahlung ist fehlgeschlagen, das Geld ist zurück.",
      dispute_due: () => "Eine Reklamation wartet auf Belege.",
      reconciliation_mismatch: (count) =>
        of(
          count,
          "Eine Zeile eines Auszugs stimmt nicht mit den Büchern überein.",
          "Zeilen eines Auszugs stimmen nicht mit den Büchern überein."
        ),
      ledger_broken: () => "Die Prüfung des Hauptbuchs hat einen Bruch gefunden.",
      approval_waiting: () => "Eine Zahlung wartet auf Freigabe.",
      second_look_waiting: () => "Ein Auftrag wartet auf eine zweite Person."
    },
    since: "Seit",
    due: "Bis",
    other: (kind, count) => `${kind.replaceAll("_", " ")}: ${count}`
  },
  volume: {
    title: "Umsatz",
    today: "Heute",
    month: "Letzte 30 Tage",
    payments: (count) => of(count, "eine Zahlung", "Zahlungen"),
    refunded: "erstattet",
    none: "In den letzten 30 Tagen wurde nichts eingezogen.",
    counting: "Ältere Tage werden noch zusammengezählt."
  },
  balances: { title: "Guthaben", pending: "Unterwegs", available: "Verfügbar", reserved: "Zurückbehalten" },
  latest: { title: "Neueste Zahlungen", all: "Alle Zahlungen" },
  mail: {
    subject: (account, count) => count === 1 ? `${account}: Etwas ist zu erledigen` : `${account}: ${count} Dinge sind zu erledigen`,
    greeting: (account) => `Das ist bei ${account} zu erledigen:`,
    open: "Dashboard öffnen",
    why: "Sie bekommen diese Mail für jeden Punkt einmal, weil Ihre Rolle sich darum kümmern kann."
  }
}
