import type { PortalMessages } from "./shape.ts"

export const de: PortalMessages = {
  title: (merchant) => `Ihr Konto bei ${merchant}`,
  nav: { label: "Konto", overview: "Übersicht", invoices: "Rechnungen", methods: "Zahlungsarten" },
  backToOverview: "Zurück zur Übersicht",
  noSubscriptions: { title: "Noch kein Abo", text: "Wenn Sie ein Abo abschließen, finden Sie hier alles dazu." },
  details: {
    title: "Ihre Angaben",
    name: "Name",
    nameInvalid: "Geben Sie einen Namen in einer Zeile ein, mit höchstens 200 Zeichen.",
    cardNumber: "Geben Sie hier keine Kartennummer ein.",
    save: "Speichern"
  },
  status: { trialing: "Testphase", active: "Aktiv", past_due: "Zahlung überfällig", paused: "Pausiert", canceled: "Beendet" },
  facts: {
    next: "Nächste Zahlung",
    nextOn: (amount, day) => `${amount} am ${day}`,
    method: "Bezahlt mit",
    trialUntil: (day) => `Kostenlos bis ${day}`,
    endsOn: (day) => `Läuft bis ${day} und wird nicht verlängert`,
    endedOn: (day) => `Beendet am ${day}`,
    paused: "Solange es pausiert ist, wird nichts abgebucht",
    changesTo: (plan, day) => `Wechselt am ${day} zu ${plan}`,
    changing: (plan) => `Wechselt zu ${plan}, sobald die Zahlung bestätigt ist`,
    credit: (amount) => `Dafür haben Sie ein Guthaben von ${amount}`,
    noMethod: "Noch keine Zahlungsart"
  },
  pastDue: {
    title: "Ihre letzte Zahlung hat nicht geklappt",
    text: (amount) => `${amount} sind noch offen.`,
    retry: (day) => `Wir versuchen es am ${day} noch einmal.`,
    stopped: "Es wird nicht von selbst noch einmal versucht.",
    update: "Hinterlegen Sie eine neue Karte, um sofort zu bezahlen und Ihr Abo zu behalten.",
    ask: (merchant) => `Bitte wenden Sie sich an ${merchant}, um Ihr Abo zu behalten.`
  },
  actions: {
    changeDetails: "Angaben ändern",
    changePlan: "Tarif wechseln",
    cancel: "Abo kündigen",
    uncancel: "Abo behalten",
    pause: "Pausieren",
    resume: "Fortsetzen",
    updateCard: "Karte ändern"
  },
  invoices: {
    title: "Rechnungen",
    none: "Es gibt noch keine Rechnungen.",
    status: { draft: "Entwurf", open: "Offen", paid: "Bezahlt", void: "Storniert", uncollectible: "Nicht bezahlt" },
    pdf: (number) => `Rechnung ${number} als PDF`,
    pdfShort: "PDF",
    view: (number) => `Rechnung ${number} ansehen`,
    viewShort: "Ansehen",
    pay: (amount) => `${amount} bezahlen`,
    older: "Ältere Rechnungen",
    newer: "Neuere Rechnungen"
  },
  methods: {
    title: "Zahlungsarten",
    none: "Es ist keine Zahlungsart hinterlegt.",
    ending: (brand, digits) => `${brand} mit den Endziffern ${digits}`,
    otherKind: { card: "Karte", bank_account: "Bankkonto", usdc_wallet: "USDC-Wallet" },
    expires: (date) => `Gültig bis ${date}`,
    expired: (date) => `Abgelaufen ${date}`,
    defaultMethod: "Für Zahlungen verwendet",
    add: "Andere Karte verwenden",
    addText: "Künftige Zahlungen werden mit dieser Karte gemacht.",
    addOwing: (amount) => `${amount} sind überfällig und werden sofort von dieser Karte abgebucht.`,
    save: "Karte speichern",
    savePaying: (amount) => `Karte speichern und ${amount} bezahlen`
  },
  plan: {
    title: "Tarif wechseln",
    choose: "Wählen Sie Ihren Tarif",
    current: "Ihr Tarif",
    none: "Es gibt keinen anderen Tarif, zu dem Sie wechseln können.",
    next: "Weiter",
    unchosen: "Wählen Sie zuerst einen Tarif.",
    previewTitle: (plan) => `Wechsel zu ${plan}`,
    from: "Jetzt",
    to: "Neu",
    starts: "Beginnt",
    atOnce: "Sofort",
    unused: (plan) => `Nicht genutzte Zeit von ${plan}`,
    rest: (plan) => `Restliche Zeit von ${plan}`,
    period: (plan) => plan,
    earlier: "Aus früheren Änderungen",
    credit: "Ihr Guthaben",
    carried: "Bleibt Ihr Guthaben für die nächste Zahlung",
    span: (from, to) => `${from} bis ${to}`,
    lines: "Wie sich der Betrag zusammensetzt",
    dueNow: "Jetzt fällig",
    nothingNow: "Jetzt wird nichts abgebucht.",
    onNext: (day) => `Kommt zu Ihrer Zahlung am ${day} hinzu`,
    lessNext: (day) => `Wird von Ihrer Zahlung am ${day} abgezogen`,
    thenFrom: (price, day) => `${price} ab ${day}`,
    confirm: "Wechsel bestätigen",
    confirmPaying: (amount) => `Wechseln und ${amount} bezahlen`,
    undo: "Meinen Tarif behalten",
    undoText: (plan) => `Sie bleiben bei ${plan}, und der geplante Wechsel findet nicht statt.`,
    holds: "Dieser Betrag gilt eine Stunde lang."
  },
  cancel: {
    title: (plan) => `${plan} kündigen?`,
    text: (day) =>
      `Es läuft noch bis ${day}, so lange haben Sie bezahlt, und wird nicht verlängert. Bis dahin können Sie es sich anders überlegen.`,
    owed: (amount) => `${amount} aus früheren Änderungen werden an diesem Tag abgebucht.`,
    pastDue: "Die überfällige Zahlung wird nicht von selbst noch einmal versucht.",
    confirm: "Abo kündigen",
    keep: "Behalten"
  },
  pause: {
    title: (plan) => `${plan} pausieren?`,
    text: "Bis Sie es fortsetzen, wird nichts abgebucht.",
    left: (days) => `Was Sie schon bezahlt haben, bleibt Ihnen: ${days}.`,
    unpaid: "Die überfällige Zahlung wird nicht mehr verlangt, und die Zeit dafür bleibt Ihnen nicht.",
    confirm: "Abo pausieren"
  },
  resume: {
    title: (plan) => `${plan} fortsetzen?`,
    text: (day) => `Es geht sofort weiter. Die nächste Zahlung ist am ${day} fällig.`,
    confirm: "Abo fortsetzen"
  },
  pay: {
    title: (number) => `Rechnung ${number} bezahlen`,
    with: "Bezahlt mit",
    confirm: (amount) => `${amount} bezahlen`,
    other: "Andere Karte verwenden",
    once: "Mit dieser Karte wird nur diese Rechnung bezahlt; für spätere wird sie nicht verwendet."
  },
  done: {
    planChanged: { title: "Ihr Tarif wurde gewechselt", text: (plan) => `Sie haben jetzt ${plan}.` },
    planScheduled: {
      title: "Ihr Tarif wird gewechselt",
      text: (plan, day) => `Bis ${day} behalten Sie Ihren Tarif. Von da an ist es ${plan}.`
    },
    planKept: { title: "Ihr Tarif bleibt, wie er ist", text: (plan) => `Sie bleiben bei ${plan}.` },
    planPending: {
      title: "Ihre Zahlung wird bestätigt",
      text: "Danach wird Ihr Tarif gewechselt. Sie können die Seite schließen; es wird nichts doppelt abgebucht."
    },
    planDeclined: { title: "Die Zahlung hat nicht geklappt", text: "Ihr Tarif wurde nicht gewechselt, und es wurde nichts abgebucht." },
    cancelled: { title: "Ihr Abo ist gekündigt", text: (day) => `Es läuft noch bis ${day}. Danach wird nichts verlängert.` },
    uncancelled: { title: "Ihr Abo läuft weiter", text: (day) => `Es wird wie bisher am ${day} verlängert.` },
    paused: { title: "Ihr Abo ist pausiert", text: "Bis Sie es fortsetzen, wird nichts abgebucht." },
    resumed: { title: "Ihr Abo läuft weiter", text: (day) => `Die nächste Zahlung ist am ${day} fällig.` },
    cardSaved: { title: "Ihre Karte wurde gespeichert", text: "Künftige Zahlungen werden mit ihr gemacht." },
    cardPaid: {
      title: "Ihre Karte wurde gespeichert, und die Zahlung hat geklappt",
      text: (amount) => `${amount} wurden bezahlt. Ihr Abo läuft weiter.`
    },
    cardDeclined: {
      title: "Ihre Karte wurde gespeichert, aber die Zahlung hat nicht geklappt",
      text: (amount) => `${amount} sind noch offen. Verwenden Sie eine andere Karte, oder fragen Sie Ihre Bank nach dem Grund.`
    },
    paid: { title: "Danke, Ihre Zahlung ist angekommen", text: (amount) => `Sie haben ${amount} bezahlt.` },
    payDeclined: {
      title: "Die Zahlung hat nicht geklappt",
      text: (amount) =>
        `${amount} sind noch offen, und es wurde nichts abgebucht. Verwenden Sie eine andere Karte, oder fragen Sie Ihre Bank nach dem Grund.`
    },
    pending: {
      title: "Ihre Zahlung wird bestätigt",
      text: "Das dauert meist nur wenige Sekunden. Sie können die Seite schließen; es wird nichts doppelt abgebucht."
    }
  },
  changedMeanwhile: {
    title: "Etwas hat sich geändert",
    text: "Ihr Abo hat sich geändert, seit diese Seite angezeigt wurde. Es wurde nichts abgebucht. Bitte sehen Sie noch einmal nach."
  },
  notAllowed: { title: "Das geht hier nicht", text: "Es wurde nichts geändert." },
  notPossible: {
    title: "Das ist gerade nicht möglich",
    text: "Es wurde nichts geändert und nichts abgebucht. In der Übersicht sehen Sie, wie Ihr Abo steht."
  },
  noCard: "Die Kartendaten konnten nicht verwendet werden. Bitte geben Sie sie noch einmal ein.",
  expired: {
    title: "Diese Seite ist abgelaufen",
    text: (merchant) => `Zu Ihrer Sicherheit gilt sie eine Stunde lang. Öffnen Sie sie noch einmal über ${merchant}.`
  },
  revoked: {
    title: "Diese Seite wurde geschlossen",
    text: (merchant) => `Sie gilt nicht mehr. Öffnen Sie sie noch einmal über ${merchant}.`
  }
}
