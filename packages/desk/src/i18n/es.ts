import { assistant } from "./es/assistant.ts"
import * as bankLinks from "./es/bank-links.ts"
import * as business from "./es/business.ts"
import { clock } from "./es/clocks.ts"
import { dispute } from "./es/disputes.ts"
import * as engine from "./es/engine.ts"
import { exports } from "./es/exports.ts"
import { home } from "./es/home.ts"
import { ledger } from "./es/ledger.ts"
import * as money from "./es/money.ts"
import * as onboarding from "./es/onboarding.ts"
import * as passthrough from "./es/passthrough.ts"
import { payment } from "./es/payments.ts"
import { pictures } from "./es/pictures.ts"
import { reconciliation } from "./es/reconciliation.ts"
import { search } from "./es/search.ts"
import { signIn } from "./es/sign-in.ts"
import { states } from "./es/states.ts"
import { toolCalls } from "./es/tool-calls.ts"
import type { DeskMessages } from "./shape.ts"

export const es: DeskMessages = {
  title: "Panel",
  nav: engine.nav,
  sections: {
    money: "Dinero",
    customers: "Clientes",
    books: "Libros",
    developers: "Desarrollo",
    agents: "Agentes",
    account: "Cuenta",
    installation: "Instalación"
  },
  roles: { owner: "Propietario", developer: "Desarrollador", support: "Soporte", finance: "Finanzas", viewer: "Lector" },
  installation: "Instalación",
  testMode: "Pruebas",
  liveMode: "Real",
  views: { ...money.views, ...business.views, ...onboarding.views, ...bankLinks.views, ...passthrough.views },
  fields: { ...money.fields, ...business.fields, ...onboarding.fields, ...bankLinks.fields, ...passthrough.fields },
  actions: { ...money.actions, ...business.actions, ...onboarding.actions, ...bankLinks.actions, ...passthrough.actions },
  states,
  list: engine.list,
  detail: engine.detail,
  action: engine.action,
  yes: "Sí",
  no: "No",
  nothing: "–",
  signIn,
  refusals: engine.refusals,
  stale: {
    title: "Este formulario es de otra página",
    text: "No se cambió nada. Vuelva atrás, cargue la página de nuevo y envíelo desde allí."
  },
  written: { reconciliation: "Conciliación", "tool-calls": "Uso de las herramientas", assistant: "Asistente" },
  payment,
  dispute,
  reconciliation,
  clock,
  ledger,
  toolCalls,
  waits: {
    title: "Espera a una segunda persona",
    text: "Esto supera el límite de la cuenta y aún no ha pasado nada. Otra persona que pueda hacerlo tiene que aprobarlo.",
    open: "Ver lo que se pidió"
  },
  home,
  onboarding: onboarding.onboarding,
  search,
  pictures,
  exports,
  assistant
}
