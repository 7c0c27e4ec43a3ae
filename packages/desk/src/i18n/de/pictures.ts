import type { PictureTexts } from "../shapes/pictures.ts"

export const pictures: PictureTexts = {
  numbers: "Die Zahlen",
  day: "Tag",
  captured: "Eingezogen",
  refunded: "Erstattet",
  payments: "Zahlungen",
  pending: "Unterwegs",
  available: "Verfügbar",
  reserved: "Zurückbehalten",
  currency: "Währung",
  volume: {
    title: (currency) => `Eingezogen und erstattet pro Tag, ${currency}`,
    about: (captured, refunded) => `Insgesamt ${captured} eingezogen und ${refunded} erstattet.`
  },
  balances: {
    title: (currency) => `Guthaben am Ende jedes Tages, ${currency}`,
    about: (pending, available, reserved) => `Am letzten Tag ${pending} unterwegs, ${available} verfügbar und ${reserved} zurückbehalten.`,
    before: "Davor"
  },
  flow: {
    title: "Das Geld dieser Zahlung",
    about: (movements) => movements === 1 ? "Eine Bewegung zwischen den Guthaben." : `${movements} Bewegungen zwischen den Guthaben.`,
    outside: "Außen",
    movement: (event, amount) => `${event} ${amount}`,
    now: "Jetziger Stand dieser Zahlung",
    earlier: (count) =>
      count === 1 ? "Eine frühere Bewegung steht nur in der Tabelle." : `${count} frühere Bewegungen stehen nur in der Tabelle.`
  },
  moments: {
    title: "Was wann geschieht",
    about: (past, ahead) => `${past} in der Vergangenheit, ${ahead} in der Zukunft.`,
    number: "Nr.",
    what: "Was",
    when: "Wann",
    state: "Zustand",
    now: "Jetzt",
    states: { done: "Erledigt", good: "Erfolgreich", bad: "Fehlgeschlagen", due: "Frist", planned: "Geplant" },
    opened: "Reklamation eröffnet",
    evidenceDue: "Belege fällig",
    evidenceSent: "Belege eingereicht",
    closed: (status) => `Entschieden: ${status}`,
    cycleDue: "Abbuchung fällig",
    attempt: (number, outcome) => `Versuch ${number}: ${outcome}`,
    nextAttempt: "Nächster Versuch",
    graceEnds: "Schonfrist endet",
    created: "Angelegt",
    sent: "An die Bank gegeben",
    settles: "Wird abgerechnet",
    ended: (status) => `Beendet: ${status}`
  }
}
