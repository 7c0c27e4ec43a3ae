import type { HomeTexts } from "../shapes/home.ts"

export const home: HomeTexts = {
  attention: {
    title: "対応が必要",
    none: "対応待ちのものはありません。",
    kinds: {
      webhook_endpoint_failing: (count) => `Webhookエンドポイントが配信を受け取っていません（失敗${count}件）。`,
      payout_failed: () => "振込が失敗し、資金が戻りました。",
      dispute_due: () => "不審請求の申し立てが証拠を待っています。",
      reconciliation_mismatch: (count) => `明細書の${count}行が帳簿と一致しません。`,
      ledger_broken: () => "元帳の検証で不整合が見つかりました。",
      approval_waiting: () => "承認待ちの支払いがあります。",
      second_look_waiting: () => "依頼された操作が、もう1人の確認を待っています。"
    },
    since: "開始",
    due: "期限",
    other: (kind, count) => `${kind.replaceAll("_", " ")}: ${count}件`
  },
  volume: {
    title: "取扱高",
    today: "今日",
    month: "過去30日間",
    payments: (count) => `支払い${count}件`,
    refunded: "返金",
    none: "過去30日間に売上確定はありません。",
    counting: "以前の日はまだ集計中です。"
  },
  balances: { title: "残高", pending: "保留中", available: "利用可能", reserved: "留保" },
  latest: { title: "最近の支払い", all: "すべての支払い" },
  mail: {
    subject: (account, count) => `${account}: 対応が必要なものが${count}件あります`,
    greeting: (account) => `${account}で対応が必要です:`,
    open: "管理画面を開く",
    why: "あなたの役割で対応できるため、それぞれについて一度だけこのメールをお送りしています。"
  }
}
