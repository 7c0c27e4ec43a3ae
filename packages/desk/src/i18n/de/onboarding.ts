import type { OnboardingTexts } from "../shapes/onboarding.ts"

/** Words of the views of `onboarding`. */
export const views = {
  terms: { many: "Bedingungen", one: "Bedingungen", none: "Es gibt keine Bedingungen." },
  terms_acceptances: {
    many: "Zustimmungen zu den Bedingungen",
    one: "Zustimmung zu den Bedingungen",
    none: "Den Bedingungen wurde noch nicht zugestimmt."
  },
  go_live_requests: { many: "Echtbetrieb", one: "Antrag auf Echtbetrieb", none: "Noch hat niemand den Echtbetrieb beantragt." },
  operator_go_live_requests: {
    many: "Anträge auf Echtbetrieb",
    one: "Antrag auf Echtbetrieb",
    none: "Kein Konto beantragt den Echtbetrieb."
  }
}

export const fields = {
  accepted_at: "Zugestimmt",
  accepted_by: "Zugestimmt von",
  account_name: "Name des Kontos",
  live_account_id: "Echtes Konto",
  rejection_reason: "Warum abgelehnt wurde",
  terms_version: "Version",
  text: "Text",
  version: "Version"
}

export const actions = {
  terms: { accept: "Bedingungen zustimmen" },
  terms_acceptances: {},
  go_live_requests: { create: "Echtbetrieb beantragen" },
  operator_go_live_requests: { approve: "Freigeben und das echte Konto eröffnen", reject: "Ablehnen" }
}

export const onboarding: OnboardingTexts = {
  title: "Auf dem Weg zum Echtbetrieb",
  live: {
    title: "Ihr Konto ist im Echtbetrieb: Was noch offen ist",
    payment:
      "Schicken Sie einen Kunden auf eine Bezahlseite, oder belasten Sie ein Zahlungsmittel vom Server aus. Testkarten gelten hier nicht."
  },
  progress: (done, all) => `${done} von ${all} Schritten sind erledigt.`,
  opened: "Ihr echtes Konto ist eröffnet: Wechseln Sie unter „Ihre Konten“ dorthin",
  states: { done: "Erledigt", open: "Zu tun", waiting: "In Prüfung" },
  steps: {
    terms: {
      title: "Bedingungen zustimmen",
      text: "Ein Inhaber liest sie und stimmt ihnen für das Konto zu.",
      waits: "Die Bedingungen warten auf Zustimmung."
    },
    business_verified: {
      title: "Das Unternehmen prüfen lassen",
      text: "Geben Sie an, wer hinter dem Konto steht.",
      waits: "Das Unternehmen wird geprüft."
    },
    payout_bank: {
      title: "Ein Bankkonto für Auszahlungen hinzufügen",
      text: "Geben Sie an, wohin Ihr Geld geht, und lassen Sie das Konto prüfen.",
      waits: "Das Bankkonto ist geprüft und wird von selbst aktiv."
    },
    webhook_endpoint: {
      title: "Von Zahlungen erfahren",
      text: "Geben Sie an, wo Ihr Server Webhooks annimmt.",
      waits: "Der Endpunkt wird geprüft."
    },
    first_payment: {
      title: "Eine Zahlung annehmen",
      text: "Senden Sie dies aus einem Terminal, mit einem geheimen Schlüssel dieses Kontos.",
      waits: "Die Zahlung ist unterwegs."
    },
    live: {
      title: "In den Echtbetrieb gehen",
      text: "Wenn alles andere erledigt ist, beantragt ein Inhaber das echte Konto. Die Sandbox bleibt für Tests.",
      waits: "Der Betreiber sieht sich den Antrag an."
    }
  },
  requests: {
    title: "Anträge auf Echtbetrieb",
    none: "Kein Konto wartet auf den Echtbetrieb.",
    waits: "beantragt den Echtbetrieb"
  }
}
