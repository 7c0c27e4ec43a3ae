/** What the page of a dispute says. */
import type { DisputeTexts } from "../shapes/disputes.ts"

export const dispute: DisputeTexts = {
  title: "Reklamation",
  dueBy: "Antworten bis",
  dueNote: "Die Antwort kann einmal gesendet werden. Ohne sie ist die Reklamation nach Ablauf der Zeit verloren.",
  closed: "Es gibt nichts mehr zu beantworten.",
  decided: "Die Reklamation ist abgeschlossen",
  submitted: "Die Belege wurden gesendet. Das Kartennetz entscheidet.",
  reason: "Grund",
  network: "Kartennetz",
  claims: {
    fraudulent: "Der Karteninhaber sagt, er habe die Zahlung nicht gemacht.",
    general: "Die Bank sagt, die Zahlung sei nicht richtig autorisiert worden.",
    duplicate: "Der Kunde sagt, es sei zweimal abgebucht worden oder er habe anders bezahlt.",
    product_not_received: "Der Kunde sagt, er habe nicht bekommen, was er bezahlt hat.",
    product_unacceptable: "Der Kunde sagt, er habe etwas anderes bekommen als versprochen.",
    subscription_canceled: "Der Kunde sagt, er habe vor der Abbuchung gekündigt.",
    credit_not_processed: "Der Kunde sagt, eine Erstattung sei versprochen worden und nicht gekommen.",
    unknown: "Der Code des Kartennetzes ist hier nicht bekannt. Lesen Sie ihn in der Liste des Netzes nach."
  },
  advice: {
    fraudulent:
      "Zeigen Sie, dass der Karteninhaber beteiligt war: 3-D Secure, frühere Käufe mit demselben Gerät oder derselben IP-Adresse, " +
      "Prüfung von Anschrift und Prüfziffer, Nutzung nach dem Kauf.",
    general: "Zeigen Sie die Autorisierung und den Betrag, wie der Karteninhaber ihm zugestimmt hat.",
    duplicate: "Zeigen Sie zwei Bestellungen, jeweils mit dem Gelieferten und Vereinbarten, oder die Erstattung der zweiten.",
    product_not_received:
      "Zeigen Sie die Lieferung an die angegebene Anschrift oder ein Protokoll von Zugriff oder Download vor der Reklamation.",
    product_unacceptable:
      "Zeigen Sie die Beschreibung zur Zeit des Kaufs, was geliefert wurde, und dass keine Rückgabe angeboten oder gemacht wurde.",
    subscription_canceled:
      "Zeigen Sie die akzeptierten Kündigungsbedingungen, dass keine Kündigung kam, die Nutzung danach und den Hinweis vor der " +
      "Verlängerung.",
    credit_not_processed: "Zeigen Sie die Erstattung oder die beim Kauf akzeptierten Erstattungsregeln.",
    unknown: "Lesen Sie den Grund des Netzes und antworten Sie auf das, was er behauptet."
  },
  helps: "Was hilft",
  money: "Geld",
  heldNow: "Zurückbehalten, solange sie offen ist",
  heldNothing: "Nichts wird mehr zurückbehalten",
  fee: "Gebühr der Reklamation",
  payment: "Zahlung",
  previous: "Frühere Reklamation",
  evidence: "Belege",
  given: "Was bisher vorliegt",
  none: "Noch keine Belege.",
  fields: {
    product_description: "Was verkauft wurde",
    customer_communication: "Was der Kunde schrieb und was geantwortet wurde",
    shipping_documentation: "Wie und wann geliefert wurde",
    access_activity_log: "Wann und von wo es genutzt wurde",
    refund_policy: "Erstattungsregeln, die der Kunde gesehen hat",
    cancellation_policy: "Kündigungsregeln, die der Kunde gesehen hat",
    signed_agreement: "Wozu der Kunde zugestimmt hat",
    compelling_evidence: "Frühere Zahlungen dieses Kunden, die niemand reklamiert hat",
    other: "Sonstiges"
  },
  files: "Dateien",
  addFiles: "Dateien hinzufügen",
  filesNote: "PDF, PNG oder JPEG, je höchstens 4 MiB.",
  tooLarge: "Die Dateien sind zusammen zu groß. Fügen Sie sie nacheinander hinzu: je höchstens 4 MiB.",
  save: "Belege speichern",
  submit: "Speichern und beim Kartennetz einreichen",
  submitNote: "Das Einreichen lässt sich nicht rückgängig machen.",
  accept: "Reklamation annehmen",
  acceptNote: "Der Kunde behält das Geld, und die Gebühr wird nicht erstattet. Das lässt sich nicht rückgängig machen.",
  acceptSure: "Ich möchte, dass der Kunde das Geld behält",
  refused: "Es wurde nichts gesendet",
  timeline: "Verlauf",
  entries: "Einträge im Hauptbuch",
  download: "Sichern"
}
