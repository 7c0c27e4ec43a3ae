/** What the page of a payment says. */
import type { PaymentTexts } from "../shapes/payments.ts"

const ANOTHER_CARD = "Bitten Sie um eine andere Karte."
const CALL_BANK = "Bitten Sie den Kunden, seine Bank anzurufen."

export const payment: PaymentTexts = {
  title: "Zahlung",
  summary: "Überblick",
  captured: "Eingezogen",
  refunded: "Erstattet",
  disputed: "Reklamiert",
  fee: "Gebühr",
  held: "Vorgemerkt",
  customer: "Kunde",
  method: "Zahlungsart",
  rail: "Zahlungsweg",
  reference: "Referenz des Anbieters",
  conversion: "Umgetauscht in",
  reason: "Grund",
  declined: "Die Zahlung wurde abgelehnt",
  declines: {
    generic_decline: {
      why: "Die Bank hat ohne Angabe von Gründen abgelehnt.",
      next: "Bitten Sie den Kunden, seine Bank anzurufen oder anders zu bezahlen."
    },
    insufficient_funds: {
      why: "Auf dem Konto des Kunden ist nicht genug Geld, oder sein Limit ist erreicht.",
      next: "Bitten Sie um eine andere Karte, oder versuchen Sie es nach ein paar Tagen noch einmal."
    },
    lost_card: { why: "Die Karte wurde als verloren gemeldet.", next: `Versuchen Sie diese Karte nicht noch einmal. ${ANOTHER_CARD}` },
    stolen_card: {
      why: "Die Karte wurde als gestohlen gemeldet.",
      next: "Versuchen Sie diese Karte nicht noch einmal. Sehen Sie sich die Bestellung an, bevor Sie etwas liefern."
    },
    expired_card: { why: "Die Karte ist abgelaufen.", next: "Bitten Sie den Kunden um seine neue Karte." },
    incorrect_cvc: { why: "Die Prüfziffer ist falsch.", next: "Bitten Sie den Kunden, sie noch einmal einzugeben." },
    processing_error: {
      why: "Der Anbieter konnte die Zahlung nicht verarbeiten.",
      next: "Versuchen Sie es in einigen Minuten noch einmal: Es wurde nichts abgebucht."
    },
    do_not_honor: { why: "Die Bank löst die Karte ohne Angabe von Gründen nicht ein.", next: CALL_BANK },
    card_velocity_exceeded: {
      why: "Die Karte wurde in kurzer Zeit zu oft oder für zu viel benutzt.",
      next: "Warten Sie einen Tag, oder bitten Sie um eine andere Karte."
    },
    fraudulent: {
      why: "Die Bank oder der Anbieter hält es für Betrug.",
      next: "Versuchen Sie es nicht noch einmal. Sehen Sie sich erst Bestellung und Kunden an."
    },
    authentication_required: {
      why: "Die Bank möchte, dass der Kunde die Zahlung bestätigt.",
      next: "Schicken Sie den Kunden durch einen Checkout, in dem die Bank ihn fragen kann."
    },
    currency_not_supported: {
      why: "Die Karte nimmt diese Währung nicht.",
      next: "Buchen Sie in einer anderen Währung ab, oder bitten Sie um eine andere Karte."
    },
    card_not_supported: { why: "Die Karte kann für diese Art von Zahlung nicht benutzt werden.", next: ANOTHER_CARD }
  },
  standings: {
    blocked: {
      why: "Die Betrugsregel des Anbieters hat sie blockiert. Es wurde nichts abgebucht.",
      next: "Sehen Sie sich die Bestellung an und geben Sie die Zahlung dann frei oder lehnen Sie sie ab."
    },
    requires_action: {
      why: "Der Kunde muss die Zahlung bei seiner Bank bestätigen.",
      next: "Warten Sie, oder schicken Sie dem Kunden den Link noch einmal."
    },
    async_rail: {
      why: "Der Zahlungsweg bestätigt später, wie es Blockchains und Überweisungen tun.",
      next: "Warten Sie. Es ändert sich von selbst."
    },
    unknown_outcome: {
      why: "Der Anbieter hat nicht gesagt, was aus dem letzten Aufruf wurde.",
      next: "Warten Sie: Der Anbieter wird von selbst noch einmal gefragt. Buchen Sie nicht doppelt ab."
    },
    requires_approval: {
      why: "Sie liegt über einer Grenze und wartet auf einen Menschen.",
      next: "Geben Sie sie frei oder lehnen Sie sie ab."
    },
    failed: {
      why: "Die Zahlung ist fehlgeschlagen. Es wurde nichts abgebucht.",
      next: "Lesen Sie unten die Versuche; eine neue Zahlung ist möglich."
    }
  },
  next: "Was jetzt zu tun ist",
  timeline: "Verlauf",
  created: "Angelegt",
  attempted: (rail, outcome) => `Versucht mit ${rail}: ${outcome}`,
  refund: (status) => `Erstattung: ${status}`,
  cancelled: "Storniert: Nichts ist mehr vorgemerkt",
  waits: "Eine Erstattung wartet auf eine zweite Person",
  waitsText: "wurde beantragt:",
  disputeOpened: "Reklamation eröffnet",
  disputeClosed: (status) => `Reklamation: ${status}`,
  settlementQueued: "Abrechnung vorgesehen",
  settlementDone: "Abrechnung abgeschlossen: Das Geld ist verfügbar",
  attempts: "Versuche",
  noAttempts: "Es wurde noch kein Zahlungsweg versucht.",
  amount: "Betrag",
  outcome: "Ergebnis",
  decline: "Ablehnungscode",
  because: "Warum",
  score: "Punkte",
  at: "Zeitpunkt",
  routing: "Wahl des Zahlungswegs",
  routingNote: "Zahlungswege werden von der höchsten Punktzahl abwärts versucht; einer mit 0 Punkten wird ausgelassen.",
  result: "Ergebnis",
  chosen: "gewählt",
  leftOut: "ausgelassen",
  eligible: "möglich",
  rule: "Regel",
  matched: "Trifft zu",
  routingReasons: {
    usual: "übliche Reihenfolge",
    allHold: "alle Bedingungen treffen zu",
    notInstalled: "nicht installiert",
    doesNotTake: (what) => `nimmt ${what} nicht an`,
    byRule: (name) => `nach der Regel ${name}`,
    differs: (what, is, asked) => `${what}: ${is} statt ${asked}`,
    below: (limit) => `der Betrag liegt unter ${limit}`,
    above: (limit) => `der Betrag liegt über ${limit}`,
    isNot: (name, asked) => `${name} ist nicht ${asked}`,
    notGiven: "keine Angabe",
    currency: "Währung",
    country: "Land",
    method: "Zahlungsart"
  },
  entries: "Einträge im Hauptbuch",
  noEntries: "Noch keine Einträge.",
  event: "Ereignis",
  available: "Verfügbar",
  pending: "Unterwegs",
  reserved: "Zurückbehalten",
  links: "Zugehörig",
  dispute: "Reklamation",
  settlement: "Abrechnung",
  metadata: "Metadaten"
}
