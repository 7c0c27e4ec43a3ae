import { assistant } from "./ar/assistant.ts"
import * as bankLinks from "./ar/bank-links.ts"
import * as business from "./ar/business.ts"
import { clock } from "./ar/clocks.ts"
import { dispute } from "./ar/disputes.ts"
import * as engine from "./ar/engine.ts"
import { exports } from "./ar/exports.ts"
import { home } from "./ar/home.ts"
import { ledger } from "./ar/ledger.ts"
import * as money from "./ar/money.ts"
import * as onboarding from "./ar/onboarding.ts"
import * as passthrough from "./ar/passthrough.ts"
import { payment } from "./ar/payments.ts"
import { pictures } from "./ar/pictures.ts"
import { reconciliation } from "./ar/reconciliation.ts"
import { search } from "./ar/search.ts"
import { signIn } from "./ar/sign-in.ts"
import { states } from "./ar/states.ts"
import { toolCalls } from "./ar/tool-calls.ts"
import type { DeskMessages } from "./shape.ts"

export const ar: DeskMessages = {
  title: "لوحة التحكم",
  nav: engine.nav,
  sections: {
    money: "المال",
    customers: "العملاء",
    books: "الدفاتر",
    developers: "المطوّرون",
    agents: "الوكلاء",
    account: "الحساب",
    installation: "النظام"
  },
  roles: { owner: "مالك", developer: "مطوّر", support: "الدعم", finance: "المالية", viewer: "قارئ" },
  installation: "النظام",
  testMode: "بيئة اختبار",
  liveMode: "فعلي",
  views: { ...money.views, ...business.views, ...onboarding.views, ...bankLinks.views, ...passthrough.views },
  fields: { ...money.fields, ...business.fields, ...onboarding.fields, ...bankLinks.fields, ...passthrough.fields },
  actions: { ...money.actions, ...business.actions, ...onboarding.actions, ...bankLinks.actions, ...passthrough.actions },
  states,
  list: engine.list,
  detail: engine.detail,
  action: engine.action,
  yes: "نعم",
  no: "لا",
  nothing: "–",
  signIn,
  refusals: engine.refusals,
  stale: { title: "هذا النموذج من صفحة أخرى", text: "لم يتغير شيء. ارجع وحمّل الصفحة من جديد وأرسله من هناك." },
  written: { reconciliation: "المطابقة", "tool-calls": "استخدام الأدوات", assistant: "المساعد" },
  payment,
  dispute,
  reconciliation,
  clock,
  ledger,
  toolCalls,
  waits: {
    title: "ينتظر شخصًا ثانيًا",
    text: "هذا فوق حد الحساب ولم يحدث شيء بعد. على شخص آخر مخوّل أن يوافق عليه.",
    open: "عرض ما طُلب"
  },
  home,
  onboarding: onboarding.onboarding,
  search,
  pictures,
  exports,
  assistant
}
