/** What the page of a dispute says. */
import type { DisputeTexts } from "../shapes/disputes.ts"

export const dispute: DisputeTexts = {
  title: "不審請求の申し立て",
  dueBy: "回答期限",
  dueNote: "回答は一度だけ送信できます。期限までに回答しないと敗訴になります。",
  closed: "これ以上回答するものはありません。",
  decided: "申し立ては終了しました",
  submitted: "証拠を送信しました。カードネットワークが判断します。",
  reason: "理由",
  network: "ネットワーク",
  claims: {
    fraudulent: "カード名義人は、この支払いをしていないと言っています。",
    general: "銀行は、支払いが正しく承認されていなかったと言っています。",
    duplicate: "お客様は、二重に請求されたか、別の方法で支払ったと言っています。",
    product_not_received: "お客様は、購入したものを受け取っていないと言っています。",
    product_unacceptable: "お客様は、受け取ったものが約束と違うと言っています。",
    subscription_canceled: "お客様は、請求の前に解約したと言っています。",
    credit_not_processed: "お客様は、約束された返金が届いていないと言っています。",
    unknown: "このネットワークのコードはここでは不明です。ネットワークの一覧をご確認ください。"
  },
  advice: {
    fraudulent:
      "カード名義人が関与したことを示してください: 3-Dセキュア、同じ端末やIPアドレスでの過去の購入、住所とセキュリティコードの確認、購入後の利用。",
    general: "カード名義人が同意した承認と金額を示してください。",
    duplicate: "2件の注文それぞれの納品と合意の内容、または2件目の返金を示してください。",
    product_not_received: "指定住所への配達、または申し立て前のアクセスやダウンロードの記録を示してください。",
    product_unacceptable: "購入時の説明、納品したもの、返品の申し出や返品がなかったことを示してください。",
    subscription_canceled: "同意された解約条件、解約の連絡がなかったこと、その後の利用、更新前の通知を示してください。",
    credit_not_processed: "返金、または購入時に同意された返金ポリシーを示してください。",
    unknown: "ネットワークの理由を読み、その主張に回答してください。"
  },
  helps: "役立つもの",
  money: "金額",
  heldNow: "解決まで留保",
  heldNothing: "留保はもうありません",
  fee: "申し立ての手数料",
  payment: "支払い",
  previous: "以前の申し立て",
  evidence: "証拠",
  given: "これまでに提出したもの",
  none: "証拠はまだありません。",
  fields: {
    product_description: "販売したもの",
    customer_communication: "お客様からの連絡と返信",
    shipping_documentation: "配送の方法と日時",
    access_activity_log: "いつ、どこから利用されたか",
    refund_policy: "お客様に示した返金ポリシー",
    cancellation_policy: "お客様に示した解約ポリシー",
    signed_agreement: "お客様が同意した内容",
    compelling_evidence: "申し立てのなかったこのお客様の過去の支払い",
    other: "その他"
  },
  files: "ファイル",
  addFiles: "ファイルを追加",
  filesNote: "PDF、PNG、JPEG。1つにつき4 MiBまで。",
  tooLarge: "ファイルの合計が大きすぎます。1つずつ追加してください（1つにつき4 MiBまで）。",
  save: "証拠を保存",
  submit: "保存してネットワークに提出",
  submitNote: "提出は取り消せません。",
  accept: "申し立てを受け入れる",
  acceptNote: "代金はお客様のものとなり、手数料は戻りません。取り消しはできません。",
  acceptSure: "代金をお客様のものとすることに同意します",
  refused: "何も送信されていません",
  timeline: "経過",
  entries: "元帳の記帳",
  download: "保存"
}
