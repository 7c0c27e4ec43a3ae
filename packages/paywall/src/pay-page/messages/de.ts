import { html } from "@svc/design/html"
import type { Messages } from "./shape.ts"

export const de: Messages = {
  testMode: "Testmodus",
  title: (merchant) => `Bezahlen bei ${merchant}`,
  pay: (amount) => `${amount} bezahlen`,
  facts: { sold: "Wofür", tool: "Verlangt von", account: "Konto", until: "Zahlbar bis" },
  credits: (count) => `${count} Credits`,
  plan: (name, credits, length) => `Der Tarif ${name}: ${credits} Credits im Monat, ${length}`,
  lengths: { endless: "einmal bezahlt, ohne Ende", month: "für einen Monat", months: (count) => `für ${count} Monate` },
  callOf: (tool) => `einem Aufruf von ${tool}`,
  chooseCard: "Hier fließt kein Geld. Wählen Sie eine Testkarte",
  cards: {
    visa: "Visa, genehmigt",
    mastercard: "Mastercard, genehmigt",
    declined: "Eine Karte, die abgelehnt wird",
    poor: "Eine Karte ohne genug Guthaben"
  },
  declined: { title: "Die Karte wurde abgelehnt", text: "Es wurde nichts abgebucht. Wählen Sie eine andere Karte." },
  paid: {
    title: "Bezahlt",
    credits: "Die Credits sind jetzt auf dem Konto.",
    call: "Senden Sie dieselbe Anfrage noch einmal: Sie wird aus den Credits des Kontos bezahlt.",
    plan: "Senden Sie dieselbe Anfrage noch einmal: Die Credits des Tarifs bezahlen sie.",
    purchase: (id) => `Der Kauf ist ${id}.`
  },
  pending: {
    title: "Ihre Zahlung wird bestätigt",
    text: "Ob das Geld angekommen ist, steht noch nicht fest. Die Seite sieht von selbst nach; es wird nichts doppelt abgebucht."
  },
  failed: {
    title: "Nicht bezahlt",
    text: "Die Karten wurden abgelehnt, und diese Seite nimmt keine mehr. Es wurde nichts abgebucht: Wiederholen Sie den Aufruf."
  },
  expired: {
    title: "Abgelaufen",
    text: "Die Zeit zum Bezahlen ist vorbei, und es wurde nichts abgebucht. Wiederholen Sie den Aufruf für eine neue Seite."
  },
  held: { title: "Nichts zu bezahlen", text: "Das Konto hat diesen Tarif schon, und er hat kein Ende." },
  noCards: {
    title: "Karten werden hier nicht angenommen",
    text: "Für echte Konten nimmt dieser Server keine Karten. Die Antwort, die diese Seite nannte, sagt, wie eine Wallet bezahlt."
  },
  unknown: {
    title: "Diese Seite gibt es nicht",
    text:
      "Die Adresse stammt nicht von diesem Server, oder ein Teil davon fehlt. Wiederholen Sie den Aufruf: Seine Antwort nennt eine Seite."
  },
  unchosen: { title: "Keine Karte gewählt", text: "Gehen Sie zurück und wählen Sie eine der Karten. Es wurde nichts abgebucht." },
  tooMany: {
    title: "Zu viele Zahlungen",
    text: "Aus Ihrem Netz kommen zu viele Zahlungsversuche. Warten Sie eine Weile; es wurde nichts abgebucht."
  },
  stranger: {
    title: "Dieser Aufruf gehört zu keinem Konto",
    costs: (tool, amount) => `${tool} kostet ${amount}.`,
    text: "Der Aufruf kam ohne Schlüssel, deshalb weiß niemand, für welches Konto zu bezahlen ist. Es wurde nichts abgebucht.",
    open: (accounts, signup) => html`Eröffnen Sie ein Konto mit ${accounts}, oder lassen Sie einen Agenten sich mit ${signup} anmelden.`,
    again: (header) => html`Senden Sie denselben Aufruf mit dem Schlüssel in ${header}.`,
    pay: "Öffnen Sie die Seite, die seine Antwort nennt, oder bezahlen Sie mit einer Wallet, wie die Antwort es sagt."
  }
}
