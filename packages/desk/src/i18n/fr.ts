import { assistant } from "./fr/assistant.ts"
import * as bankLinks from "./fr/bank-links.ts"
import * as business from "./fr/business.ts"
import { clock } from "./fr/clocks.ts"
import { dispute } from "./fr/disputes.ts"
import * as engine from "./fr/engine.ts"
import { exports } from "./fr/exports.ts"
import { home } from "./fr/home.ts"
import { ledger } from "./fr/ledger.ts"
import * as money from "./fr/money.ts"
import * as onboarding from "./fr/onboarding.ts"
import * as passthrough from "./fr/passthrough.ts"
import { payment } from "./fr/payments.ts"
import { pictures } from "./fr/pictures.ts"
import { reconciliation } from "./fr/reconciliation.ts"
import { search } from "./fr/search.ts"
import { signIn } from "./fr/sign-in.ts"
import { states } from "./fr/states.ts"
import { toolCalls } from "./fr/tool-calls.ts"
import type { DeskMessages } from "./shape.ts"

export const fr: DeskMessages = {
  title: "Tableau de bord",
  nav: engine.nav,
  sections: {
    money: "Argent",
    customers: "Clients",
    books: "Comptabilité",
    developers: "Développeurs",
    agents: "Agents",
    account: "Compte",
    installation: "Installation"
  },
  roles: { owner: "Propriétaire", developer: "Développeur", support: "Support", finance: "Finance", viewer: "Lecteur" },
  installation: "Installation",
  testMode: "Bac à sable",
  liveMode: "Production",
  views: { ...money.views, ...business.views, ...onboarding.views, ...bankLinks.views, ...passthrough.views },
  fields: { ...money.fields, ...business.fields, ...onboarding.fields, ...bankLinks.fields, ...passthrough.fields },
  actions: { ...money.actions, ...business.actions, ...onboarding.actions, ...bankLinks.actions, ...passthrough.actions },
  states,
  list: engine.list,
  detail: engine.detail,
  action: engine.action,
  yes: "Oui",
  no: "Non",
  nothing: "–",
  signIn,
  refusals: engine.refusals,
  stale: {
    title: "Ce formulaire vient d’une autre page",
    text: "Rien n’a été modifié. Revenez en arrière, rechargez la page et envoyez-le de là."
  },
  written: { reconciliation: "Rapprochement", "tool-calls": "Utilisation des outils", assistant: "Assistant" },
  payment,
  dispute,
  reconciliation,
  clock,
  ledger,
  toolCalls,
  waits: {
    title: "Attend une deuxième personne",
    text: "C’est au-dessus de la limite du compte, et rien ne s’est encore passé. Une autre personne qui en a le droit doit l’approuver.",
    open: "Voir la demande"
  },
  home,
  onboarding: onboarding.onboarding,
  search,
  pictures,
  exports,
  assistant
}
