import { assistant } from "./de/assistant.ts"
import * as bankLinks from "./de/bank-links.ts"
import * as business from "./de/business.ts"
import { clock } from "./de/clocks.ts"
import { dispute } from "./de/disputes.ts"
import * as engine from "./de/engine.ts"
import { exports } from "./de/exports.ts"
import { home } from "./de/home.ts"
import { ledger } from "./de/ledger.ts"
import * as money from "./de/money.ts"
import * as onboarding from "./de/onboarding.ts"
import * as passthrough from "./de/passthrough.ts"
import { payment } from "./de/payments.ts"
import { pictures } from "./de/pictures.ts"
import { reconciliation } from "./de/reconciliation.ts"
import { search } from "./de/search.ts"
import { signIn } from "./de/sign-in.ts"
import { states } from "./de/states.ts"
import { toolCalls } from "./de/tool-calls.ts"
import type { DeskMessages } from "./shape.ts"

export const de: DeskMessages = {
  title: "Dashboard",
  nav: engine.nav,
  sections: {
    money: "Geld",
    customers: "Kunden",
    books: "Bücher",
    developers: "Entwicklung",
    agents: "Agenten",
    account: "Konto",
    installation: "Installation"
  },
  roles: { owner: "Inhaber", developer: "Entwickler", support: "Support", finance: "Finanzen", viewer: "Leser" },
  installation: "Installation",
  testMode: "Sandbox",
  liveMode: "Echtbetrieb",
  views: { ...money.views, ...business.views, ...onboarding.views, ...bankLinks.views, ...passthrough.views },
  fields: { ...money.fields, ...business.fields, ...onboarding.fields, ...bankLinks.fields, ...passthrough.fields },
  actions: { ...money.actions, ...business.actions, ...onboarding.actions, ...bankLinks.actions, ...passthrough.actions },
  states,
  list: engine.list,
  detail: engine.detail,
  action: engine.action,
  yes: "Ja",
  no: "Nein",
  nothing: "–",
  signIn,
  refusals: engine.refusals,
  stale: {
    title: "Dieses Formular stammt von einer anderen Seite",
    text: "Es wurde nichts geändert. Gehen Sie zurück, laden Sie die Seite neu und senden Sie von dort."
  },
  written: { reconciliation: "Abgleich", "tool-calls": "Nutzung der Werkzeuge", assistant: "Assistent" },
  payment,
  dispute,
  reconciliation,
  clock,
  ledger,
  toolCalls,
  waits: {
    title: "Wartet auf eine zweite Person",
    text: "Das liegt über der Grenze des Kontos, und es ist noch nichts geschehen. Eine andere Person, die es darf, muss es freigeben.",
    open: "Ansehen, was beantragt wurde"
  },
  home,
  onboarding: onboarding.onboarding,
  search,
  pictures,
  exports,
  assistant
}
