import type { PictureTexts } from "../shapes/pictures.ts"

export const pictures: PictureTexts = {
  numbers: "数値",
  day: "日",
  captured: "売上確定",
  refunded: "返金",
  payments: "支払い",
  pending: "保留中",
  available: "利用可能",
  reserved: "留保",
  currency: "通貨",
  volume: {
    title: (currency) => `日ごとの売上確定と返金（${currency}）`,
    about: (captured, refunded) => `合計で${captured}が売上確定し、${refunded}が返金されました。`
  },
  balances: {
    title: (currency) => `各日の終わりの残高（${currency}）`,
    about: (pending, available, reserved) => `最終日は保留中${pending}、利用可能${available}、留保${reserved}です。`,
    before: "以前"
  },
  flow: {
    title: "この支払いの資金",
    about: (movements) => movements === 1 ? "残高の間で1回の動きがありました。" : `残高の間で${movements}回の動きがありました。`,
    outside: "外部",
    movement: (event, amount) => `${event} ${amount}`,
    now: "この支払いの現在の残高",
    earlier: (count) => count === 1 ? "以前の1回の動きは表にだけあります。" : `以前の${count}回の動きは表にだけあります。`
  },
  moments: {
    title: "いつ何が起きるか",
    about: (past, ahead) => `過去${past}件、今後${ahead}件。`,
    number: "番号",
    what: "内容",
    when: "日時",
    state: "状態",
    now: "現在",
    states: { done: "完了", good: "成功", bad: "失敗", due: "期限", planned: "予定" },
    opened: "申し立ての開始",
    evidenceDue: "証拠の提出期限",
    evidenceSent: "証拠の提出",
    closed: (status) => `決定: ${status}`,
    cycleDue: "請求の期日",
    attempt: (number, outcome) => `試行${number}: ${outcome}`,
    nextAttempt: "次の試行",
    graceEnds: "猶予の終了",
    created: "作成",
    sent: "銀行への送信",
    settles: "精算",
    ended: (status) => `終了: ${status}`
  }
}
