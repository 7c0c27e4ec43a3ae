import { assistant } from "./ja/assistant.ts"
import * as bankLinks from "./ja/bank-links.ts"
import * as business from "./ja/business.ts"
import { clock } from "./ja/clocks.ts"
import { dispute } from "./ja/disputes.ts"
import * as engine from "./ja/engine.ts"
import { exports } from "./ja/exports.ts"
import { home } from "./ja/home.ts"
import { ledger } from "./ja/ledger.ts"
import * as money from "./ja/money.ts"
import * as onboarding from "./ja/onboarding.ts"
import * as passthrough from "./ja/passthrough.ts"
import { payment } from "./ja/payments.ts"
import { pictures } from "./ja/pictures.ts"
import { reconciliation } from "./ja/reconciliation.ts"
import { search } from "./ja/search.ts"
import { signIn } from "./ja/sign-in.ts"
import { states } from "./ja/states.ts"
import { toolCalls } from "./ja/tool-calls.ts"
import type { DeskMessages } from "./shape.ts"

export const ja: DeskMessages = {
  title: "管理画面",
  nav: engine.nav,
  sections: {
    money: "お金",
    customers: "お客様",
    books: "帳簿",
    developers: "開発者",
    agents: "エージェント",
    account: "アカウント",
    installation: "環境"
  },
  roles: { owner: "オーナー", developer: "開発者", support: "サポート", finance: "経理", viewer: "閲覧者" },
  installation: "環境",
  testMode: "サンドボックス",
  liveMode: "本番",
  views: { ...money.views, ...business.views, ...onboarding.views, ...bankLinks.views, ...passthrough.views },
  fields: { ...money.fields, ...business.fields, ...onboarding.fields, ...bankLinks.fields, ...passthrough.fields },
  actions: { ...money.actions, ...business.actions, ...onboarding.actions, ...bankLinks.actions, ...passthrough.actions },
  states,
  list: engine.list,
  detail: engine.detail,
  action: engine.action,
  yes: "はい",
  no: "いいえ",
  nothing: "–",
  signIn,
  refusals: engine.refusals,
  stale: { title: "別のページのフォームです", text: "何も変更されていません。戻ってページを再読み込みし、そこから送信してください。" },
  written: { reconciliation: "照合", "tool-calls": "ツールの利用状況", assistant: "アシスタント" },
  payment,
  dispute,
  reconciliation,
  clock,
  ledger,
  toolCalls,
  waits: {
    title: "もう1人の確認を待っています",
    text: "アカウントの上限を超えているため、まだ何も実行されていません。権限のある別の人の承認が必要です。",
    open: "依頼の内容を見る"
  },
  home,
  onboarding: onboarding.onboarding,
  search,
  pictures,
  exports,
  assistant
}
