/** What the page of a payment says. */
import type { PaymentTexts } from "../shapes/payments.ts"

const ANOTHER_CARD = "別のカードを依頼してください。"
const CALL_BANK = "銀行に電話するようお客様に依頼してください。"

export const payment: PaymentTexts = {
  title: "支払い",
  summary: "概要",
  captured: "売上確定",
  refunded: "返金",
  disputed: "申し立て",
  fee: "手数料",
  held: "確保中",
  customer: "お客様",
  method: "支払い方法",
  rail: "決済経路",
  reference: "決済事業者の参照番号",
  conversion: "両替後",
  reason: "理由",
  declined: "支払いは拒否されました",
  declines: {
    generic_decline: {
      why: "銀行が理由を示さずに拒否しました。",
      next: "銀行に電話するか、別の方法で支払うようお客様に依頼してください。"
    },
    insufficient_funds: {
      why: "お客様の口座の残高が足りないか、限度額に達しています。",
      next: "別のカードを依頼するか、数日後にもう一度お試しください。"
    },
    lost_card: { why: "紛失届が出ているカードです。", next: `このカードでは再試行しないでください。${ANOTHER_CARD}` },
    stolen_card: {
      why: "盗難届が出ているカードです。",
      next: "このカードでは再試行しないでください。発送する前に注文を確認してください。"
    },
    expired_card: { why: "カードの有効期限が切れています。", next: "新しいカードをお客様に依頼してください。" },
    incorrect_cvc: { why: "セキュリティコードが間違っています。", next: "もう一度入力するようお客様に依頼してください。" },
    processing_error: {
      why: "決済事業者が支払いを処理できませんでした。",
      next: "数分後にもう一度お試しください。代金は引き落とされていません。"
    },
    do_not_honor: { why: "銀行が理由を示さずにカードを受け付けませんでした。", next: CALL_BANK },
    card_velocity_exceeded: {
      why: "短い間にカードが使われた回数または金額が多すぎます。",
      next: "1日待つか、別のカードを依頼してください。"
    },
    fraudulent: { why: "銀行または決済事業者が不正と判断しました。", next: "再試行しないでください。まず注文とお客様を確認してください。" },
    authentication_required: {
      why: "銀行が、お客様による支払いの確認を求めています。",
      next: "銀行が確認できるよう、お客様をチェックアウトに案内してください。"
    },
    currency_not_supported: { why: "このカードではこの通貨を使えません。", next: "別の通貨で請求するか、別のカードを依頼してください。" },
    card_not_supported: { why: "このカードはこの種類の支払いに使えません。", next: ANOTHER_CARD }
  },
  standings: {
    blocked: {
      why: "決済事業者の不正防止ルールが停止しました。代金は引き落とされていません。",
      next: "注文を確認してから、支払いを承認または却下してください。"
    },
    requires_action: { why: "お客様が銀行で支払いを確認する必要があります。", next: "待つか、リンクをもう一度お客様に送ってください。" },
    async_rail: { why: "ブロックチェーンや銀行振込と同じく、後から確認される決済経路です。", next: "お待ちください。自動的に変わります。" },
    unknown_outcome: {
      why: "決済事業者が最後の呼び出しの結果を返していません。",
      next: "お待ちください。自動的にもう一度問い合わせます。二重に請求しないでください。"
    },
    requires_approval: { why: "限度を超えており、人の判断を待っています。", next: "承認または却下してください。" },
    failed: { why: "支払いは失敗しました。代金は引き落とされていません。", next: "下の試行をご確認ください。新しい支払いを作成できます。" }
  },
  next: "次にすること",
  timeline: "経過",
  created: "作成",
  attempted: (rail, outcome) => `${rail}で試行: ${outcome}`,
  refund: (status) => `返金: ${status}`,
  cancelled: "取り消し済み: 確保中の金額はありません",
  waits: "返金がもう1人の確認を待っています",
  waitsText: "依頼額:",
  disputeOpened: "申し立てが開始されました",
  disputeClosed: (status) => `申し立て: ${status}`,
  settlementQueued: "精算の予定",
  settlementDone: "精算完了: 資金を利用できます",
  attempts: "試行",
  noAttempts: "まだどの決済経路も試していません。",
  amount: "金額",
  outcome: "結果",
  decline: "拒否コード",
  because: "理由",
  score: "スコア",
  at: "日時",
  routing: "決済経路の選択",
  routingNote: "スコアの高い経路から順に試します。スコア0の経路は除外されます。",
  result: "結果",
  chosen: "選択",
  leftOut: "除外",
  eligible: "可能",
  rule: "ルール",
  matched: "適用",
  routingReasons: {
    usual: "通常の順番",
    allHold: "すべての条件を満たす",
    notInstalled: "未導入",
    doesNotTake: (what) => `${what}に対応していない`,
    byRule: (name) => `ルール「${name}」による`,
    differs: (what, is, asked) => `${what}が${asked}ではなく${is}`,
    below: (limit) => `金額が${limit}未満`,
    above: (limit) => `金額が${limit}を超える`,
    isNot: (name, asked) => `${name}が${asked}ではない`,
    notGiven: "指定なし",
    currency: "通貨",
    country: "国",
    method: "支払い方法"
  },
  entries: "元帳の記帳",
  noEntries: "記帳はまだありません。",
  event: "イベント",
  available: "利用可能",
  pending: "保留中",
  reserved: "留保",
  links: "関連",
  dispute: "申し立て",
  settlement: "精算",
  metadata: "メタデータ"
}
