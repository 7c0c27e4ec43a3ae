import { html } from "@svc/design/html"
import type { Messages } from "./shape.ts"

export const ja: Messages = {
  testMode: "テストモード",
  title: (merchant) => `${merchant}へのお支払い`,
  pay: (amount) => `${amount}を支払う`,
  facts: { sold: "内容", tool: "請求元", account: "アカウント", until: "支払期限" },
  credits: (count) => `${count}クレジット`,
  plan: (name, credits, length) => `プラン「${name}」：毎月${credits}クレジット、${length}`,
  lengths: { endless: "一度の支払いで無期限", month: "1か月間", months: (count) => `${count}か月間` },
  callOf: (tool) => `${tool}の呼び出し`,
  chooseCard: "ここでは実際のお金は動きません。テストカードを選択してください",
  cards: {
    visa: "Visa（承認）",
    mastercard: "Mastercard（承認）",
    declined: "拒否されるカード",
    poor: "残高不足のカード"
  },
  declined: { title: "カードが拒否されました", text: "請求は行われていません。別のカードを選択してください。" },
  paid: {
    title: "支払済み",
    credits: "クレジットがアカウントに追加されました。",
    call: "同じリクエストをもう一度送信してください。アカウントのクレジットで支払われます。",
    plan: "同じリクエストをもう一度送信してください。プランのクレジットで支払われます。",
    purchase: (id) => `購入番号は${id}です。`
  },
  pending: {
    title: "お支払いを確認しています",
    text: "入金はまだ確認できていません。このページは自動的に更新されます。二重に請求されることはありません。"
  },
  failed: {
    title: "支払われていません",
    text:
      "カードが拒否され、このページではこれ以上お支払いいただけません。請求は行われていません。もう一度呼び出すと新しいページが作られます。"
  },
  expired: {
    title: "期限が切れました",
    text: "このページの支払期限が過ぎました。請求は行われていません。もう一度呼び出すと新しいページが作られます。"
  },
  held: { title: "お支払いは不要です", text: "アカウントはすでに無期限でこのプランを利用しています。" },
  noCards: {
    title: "ここではカードを使用できません",
    text: "本番アカウントではカードを使用できません。ウォレットでの支払い方法は、このページを示した応答に記載されています。"
  },
  unknown: {
    title: "このページは存在しません",
    text: "このサーバーのアドレスではないか、途中で切れています。もう一度呼び出すと、応答にページが示されます。"
  },
  unchosen: { title: "カードが選択されていません", text: "前のページに戻り、カードを選択してください。請求は行われていません。" },
  tooMany: { title: "お支払いの試行が多すぎます", text: "しばらく待ってからお試しください。請求は行われていません。" },
  stranger: {
    title: "この呼び出しはどのアカウントにも属していません",
    costs: (tool, amount) => `${tool}の料金は${amount}です。`,
    text: "キーなしで呼び出されたため、支払うアカウントが分かりません。請求は行われていません。",
    open: (accounts, signup) => html`${accounts}でアカウントを開設するか、${signup}でエージェントを登録してください。`,
    again: (header) => html`${header}にキーを入れて、同じ呼び出しを送信してください。`,
    pay: "応答に示されたページを開くか、応答の説明に従ってウォレットで支払ってください。"
  }
}
