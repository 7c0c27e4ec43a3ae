import { assistant } from "./en/assistant.ts"
import * as bankLinks from "./en/bank-links.ts"
import * as business from "./en/business.ts"
import { clock } from "./en/clocks.ts"
import { dispute } from "./en/disputes.ts"
import * as engine from "./en/engine.ts"
import { exports } from "./en/exports.ts"
import { home } from "./en/home.ts"
import { ledger } from "./en/ledger.ts"
import * as money from "./en/money.ts"
import * as onboarding from "./en/onboarding.ts"
import * as passthrough from "./en/passthrough.ts"
import { payment } from "./en/payments.ts"
import { pictures } from "./en/pictures.ts"
import { reconciliation } from "./en/reconciliation.ts"
import { search } from "./en/search.ts"
import { signIn } from "./en/sign-in.ts"
import { states } from "./en/states.ts"
import { toolCalls } from "./en/tool-calls.ts"
import type { DeskMessages } from "./shape.ts"

export const en: DeskMessages = {
  title: "Desk",
  nav: engine.nav,
  sections: {
    money: "Money",
    customers: "Customers",
    books: "Books",
    developers: "Developers",
    agents: "Agents",
    account: "Account",
    installation: "Installation"
  },
  roles: { owner: "Owner", developer: "Developer", support: "Support", finance: "Finance", viewer: "Viewer" },
  installation: "Installation",
  testMode: "Sandbox",
  liveMode: "Live",
  views: { ...money.views, ...business.views, ...onboarding.views, ...bankLinks.views, ...passthrough.views },
  fields: { ...money.fields, ...business.fields, ...onboarding.fields, ...bankLinks.fields, ...passthrough.fields },
  actions: { ...money.actions, ...business.actions, ...onboarding.actions, ...bankLinks.actions, ...passthrough.actions },
  states,
  list: engine.list,
  detail: engine.detail,
  action: engine.action,
  yes: "Yes",
  no: "No",
  nothing: "–",
  signIn,
  refusals: engine.refusals,
  stale: { title: "This form is from another page", text: "Nothing was changed. Go back, load the page again, and send it from there." },
  written: { reconciliation: "Reconciliation", "tool-calls": "Usage of tools", assistant: "Assistant" },
  payment,
  dispute,
  reconciliation,
  clock,
  ledger,
  toolCalls,
  waits: {
    title: "Waits for a second person",
    text: "This is above the limit of the account, and nothing has happened yet. Another person who may do it has to approve it.",
    open: "See what was asked for"
  },
  home,
  onboarding: onboarding.onboarding,
  search,
  pictures,
  exports,
  assistant
}
