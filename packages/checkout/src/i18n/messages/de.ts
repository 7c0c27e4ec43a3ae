import type { Messages } from "./shape.ts"

export const de: Messages = {
  common: {
    testMode: "Testmodus",
    back: (merchant) => `Zurück zu ${merchant}`,
    total: "Gesamtbetrag",
    orderSummary: "Bestellübersicht",
    showItems: (count) => `${count} Positionen anzeigen`,
    legal: { label: "Rechtliches", terms: "AGB", privacy: "Datenschutz", imprint: "Impressum" },
    wait: "Einen Moment …",
    gone: {
      title: "Diese Seite gibt es nicht",
      text: "Die Adresse ist vielleicht unvollständig. Öffnen Sie den Link noch einmal dort, wo Sie ihn gefunden haben."
    },
    tooMany: {
      title: "Zu viele Versuche",
      text: "Warten Sie einige Minuten und laden Sie diese Seite neu. Durch diesen Versuch wurde nichts abgebucht."
    },
    broken: {
      title: "Etwas ist schiefgegangen",
      text:
        "Das liegt an uns. Laden Sie die Seite gleich noch einmal: Sie zeigt, ob Sie bezahlt haben, und es wird nichts doppelt abgebucht."
    }
  },
  checkout: {
    title: (merchant) => `Bezahlen bei ${merchant}`,
    subscribeTo: (merchant) => `Abo bei ${merchant}`,
    pay: (amount) => `${amount} bezahlen`,
    subscribe: "Kostenpflichtig abonnieren",
    startTrial: "Testphase starten",
    every: { weekly: "pro Woche", monthly: "pro Monat", quarterly: "pro Quartal", annual: "pro Jahr" },
    trial: (days) => `${days} kostenlos`,
    thenEvery: (amount, period) => `Danach ${amount} ${period}`,
    dueToday: "Heute fällig",
    renews: (amount, day, period) => `Heute, am ${day}, werden ${amount} abgebucht, danach ${amount} ${period}, bis Sie kündigen.`,
    renewsAfterTrial: (amount, day, period) =>
      `Heute wird nichts abgebucht. Am ${day} werden ${amount} abgebucht, danach ${amount} ${period}, bis Sie kündigen.`,
    email: "E-Mail",
    emailInvalid: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel ana@example.com.",
    method: "Zahlungsart",
    card: "Karte",
    cardFields: "Kartendaten",
    stablecoin: "USDC",
    stablecoinDetail: "Digitale Dollar aus Ihrer Wallet",
    stablecoinNext: "Danach zeigt die Seite den Betrag und verfolgt die Überweisung, bis sie bestätigt ist.",
    bankTransfer: "Überweisung",
    bankTransferDetail: "Von Ihrem Bankkonto",
    bankTransferNext: "Danach verfolgt die Seite die Überweisung, bis sie angekommen ist.",
    needsScript:
      "Für Kartenzahlungen schalten Sie bitte JavaScript in Ihrem Browser ein und laden die Seite neu. Ihre Kartendaten gehen direkt an den Zahlungsdienst.",
    declined: "Die Zahlung hat nicht geklappt",
    notCharged: "Es wurde nichts abgebucht.",
    notConfirmed: "Die Zahlung wurde nicht bestätigt.",
    unavailable: "Die Zahlung ist gerade nicht möglich. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.",
    chooseAgain: "Die Kartendaten konnten nicht verwendet werden. Bitte geben Sie sie noch einmal ein.",
    processing: {
      title: "Ihre Zahlung wird bestätigt",
      text: "Das dauert meist nur wenige Sekunden. Sie können die Seite offen lassen; es wird nichts doppelt abgebucht."
    },
    action: { title: "Noch ein Schritt", text: "Ihre Bank bittet Sie, diese Zahlung zu bestätigen.", go: "Weiter zu Ihrer Bank" },
    transfer: {
      title: "Wir warten auf Ihre Überweisung",
      text: "Ihre Überweisung ist angekündigt und muss noch bestätigt werden.",
      amount: "Betrag",
      network: "Bezahlt mit",
      status: "Stand",
      pending: "Wartet auf Bestätigung"
    },
    review: {
      title: "Die Zahlung wird geprüft",
      text: "Jemand sieht sie sich an, bevor sie ausgeführt wird. Sie können diese Seite schließen."
    },
    paid: { title: "Danke, Ihre Zahlung ist angekommen", text: (amount, merchant) => `Sie haben ${amount} an ${merchant} bezahlt.` },
    started: { title: "Ihr Abo hat begonnen", text: (merchant) => `${merchant} hat Ihre Bestellung erhalten.` },
    startedTrial: {
      title: "Ihre Testphase hat begonnen",
      text: (merchant, amount, day) =>
        `Es wurde nichts abgebucht. ${merchant} bucht am ${day} ${amount} ab, wenn Sie nicht vorher kündigen.`
    },
    returnTo: (merchant) => `Zurück zu ${merchant}`,
    returning: (merchant) => `Sie werden zu ${merchant} zurückgeleitet …`,
    expired: {
      title: "Diese Bestellung ist abgelaufen",
      text: (merchant) => `Es wurde nichts abgebucht. Bitten Sie ${merchant} um einen neuen Link.`
    }
  },
  fields: {
    number: "Kartennummer",
    expiry: "Gültig bis",
    expiryHint: "MM / JJ",
    cvc: "Prüfziffer",
    numberMissing: "Geben Sie die Kartennummer ein.",
    numberUnknown: "Hier gelten nur die Testnummern unten. Geben Sie nie eine echte Karte ein.",
    expiryInvalid: "Geben Sie Monat und Jahr ein, die noch nicht vorbei sind.",
    cvcInvalid: "Geben Sie die 3 oder 4 Ziffern von der Karte ein.",
    testCards: "Testkarten",
    testCardsHint: "Echte Karten funktionieren hier nicht. Wählen Sie eine aus, um die Felder auszufüllen.",
    outcomes: {
      approve: "Genehmigt",
      declined: "Abgelehnt",
      require_action: "Muss bestätigt werden",
      block: "Von der Betrugsregel gestoppt",
      elsewhere: "Vom zweiten Anbieter genehmigt",
      dispute: "Genehmigt, später beanstandet"
    }
  },
  action: {
    title: "Zahlung bestätigen",
    bank: "Testbank",
    question: (amount, merchant) => `Möchten Sie ${amount} an ${merchant} zahlen?`,
    confirm: "Zahlung bestätigen",
    refuse: "Ablehnen",
    done: { title: "Bestätigt", text: "Die Zahlung wurde bestätigt. Sie können diese Seite schließen." },
    refused: {
      title: "Abgelehnt",
      text: "Die Zahlung wurde nicht bestätigt, und es wurde nichts abgebucht. Sie können diese Seite schließen."
    },
    over: {
      title: "Nichts zu bestätigen",
      text: "Diese Zahlung wartet nicht auf Sie. Sie wurde schon bestätigt, oder ihre Zeit ist abgelaufen."
    }
  },
  declines: {
    generic_decline: "Die Karte wurde abgelehnt. Versuchen Sie eine andere Karte, oder fragen Sie Ihre Bank nach dem Grund.",
    insufficient_funds: "Auf der Karte ist nicht genug Guthaben. Versuchen Sie eine andere Karte.",
    lost_card: "Die Karte wurde abgelehnt. Bitte verwenden Sie eine andere Karte.",
    stolen_card: "Die Karte wurde abgelehnt. Bitte verwenden Sie eine andere Karte.",
    expired_card: "Die Karte ist abgelaufen. Verwenden Sie eine andere Karte.",
    incorrect_cvc: "Die Prüfziffer stimmt nicht. Prüfen Sie sie und versuchen Sie es noch einmal.",
    processing_error: "Die Bank konnte die Zahlung nicht verarbeiten. Versuchen Sie es gleich noch einmal.",
    do_not_honor: "Die Bank hat die Zahlung ohne Angabe von Gründen abgelehnt. Versuchen Sie eine andere Karte, oder fragen Sie Ihre Bank.",
    card_velocity_exceeded: "Die Karte hat ihr Limit vorerst erreicht. Versuchen Sie eine andere Karte, oder diese morgen wieder.",
    fraudulent: "Die Karte wurde abgelehnt. Bitte verwenden Sie eine andere Karte.",
    authentication_required: "Die Zahlung wurde bei Ihrer Bank nicht bestätigt. Versuchen Sie es noch einmal und bestätigen Sie sie.",
    currency_not_supported: "Mit der Karte kann man nicht in dieser Währung bezahlen. Verwenden Sie eine andere Karte.",
    card_not_supported: "Die Karte wird für diese Art von Zahlung nicht angenommen. Verwenden Sie eine andere Karte."
  }
}
