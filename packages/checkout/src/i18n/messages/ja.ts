import type { Messages } from "./shape.ts"

export const ja: Messages = {
  common: {
    testMode: "テストモード",
    back: (merchant) => `${merchant}に戻る`,
    total: "合計",
    orderSummary: "ご注文内容",
    showItems: (count) => `${count}件の商品を表示`,
    legal: { label: "法的情報", terms: "利用規約", privacy: "プライバシー", imprint: "運営者情報" },
    wait: "お待ちください…",
    gone: { title: "このページは存在しません", text: "アドレスが途中で切れている可能性があります。元のリンクからもう一度開いてください。" },
    tooMany: { title: "試行回数が多すぎます", text: "数分待ってからページを再読み込みしてください。今回の操作では請求されていません。" },
    broken: {
      title: "問題が発生しました",
      text: "こちら側のエラーです。少し待ってから再読み込みしてください。お支払いの状況が表示されます。二重に請求されることはありません。"
    }
  },
  checkout: {
    title: (merchant) => `${merchant}へのお支払い`,
    subscribeTo: (merchant) => `${merchant}の定期購入`,
    pay: (amount) => `${amount}を支払う`,
    subscribe: "定期購入を申し込む",
    startTrial: "トライアルを始める",
    every: { weekly: "／週", monthly: "／月", quarterly: "／四半期", annual: "／年" },
    trial: (days) => `${days}間無料`,
    thenEvery: (amount, period) => `以降は${amount}${period}`,
    dueToday: "本日のお支払い",
    renews: (amount, day, period) => `本日（${day}）${amount}が請求され、その後は解約するまで${amount}${period}が請求されます。`,
    renewsAfterTrial: (amount, day, period) =>
      `本日の請求はありません。${day}に${amount}が請求され、その後は解約するまで${amount}${period}が請求されます。`,
    email: "メールアドレス",
    emailInvalid: "メールアドレスを入力してください（例：ana@example.com）。",
    method: "お支払い方法",
    card: "カード",
    cardFields: "カード情報",
    stablecoin: "USDC",
    stablecoinDetail: "ウォレットのデジタルドル",
    stablecoinNext: "次のページで金額を表示し、送金が確認されるまでお知らせします。",
    bankTransfer: "銀行振込",
    bankTransferDetail: "お客様の銀行口座から",
    bankTransferNext: "次のページで、振込が届くまで状況をお知らせします。",
    needsScript:
      "カードでお支払いの場合は、ブラウザーの JavaScript を有効にしてページを再読み込みしてください。カード情報は決済事業者に直接送信されます。",
    declined: "お支払いを完了できませんでした",
    notCharged: "請求は行われていません。",
    notConfirmed: "お支払いが確認されませんでした。",
    unavailable: "ただいまお支払いを処理できません。請求は行われていません。もう一度お試しください。",
    chooseAgain: "カード情報を使用できませんでした。もう一度入力してください。",
    processing: {
      title: "お支払いを確認しています",
      text: "通常は数秒で完了します。このままお待ちください。二重に請求されることはありません。"
    },
    action: { title: "あと一歩です", text: "カード会社がお支払いの確認を求めています。", go: "確認ページへ進む" },
    transfer: {
      title: "送金を待っています",
      text: "送金の連絡を受け取りました。確認をお待ちください。",
      amount: "金額",
      network: "お支払い方法",
      status: "状況",
      pending: "確認待ち"
    },
    review: { title: "お支払いを審査しています", text: "担当者が確認してから処理します。このページは閉じてかまいません。" },
    paid: { title: "お支払いを受け付けました。ありがとうございます", text: (amount, merchant) => `${merchant}に${amount}を支払いました。` },
    started: { title: "定期購入が始まりました", text: (merchant) => `${merchant}がご注文を受け付けました。` },
    startedTrial: {
      title: "トライアルが始まりました",
      text: (merchant, amount, day) => `請求は行われていません。それまでに解約しない場合、${day}に${merchant}から${amount}が請求されます。`
    },
    returnTo: (merchant) => `${merchant}に戻る`,
    returning: (merchant) => `${merchant}に戻ります…`,
    expired: {
      title: "このページの有効期限が切れました",
      text: (merchant) => `請求は行われていません。${merchant}に新しいリンクをお問い合わせください。`
    }
  },
  fields: {
    number: "カード番号",
    expiry: "有効期限",
    expiryHint: "月 / 年",
    cvc: "セキュリティコード",
    numberMissing: "カード番号を入力してください。",
    numberUnknown: "ここでは下のテスト番号のみ使用できます。実際のカードは入力しないでください。",
    expiryInvalid: "期限内の月と年を入力してください。",
    cvcInvalid: "カードに記載の3桁または4桁の数字を入力してください。",
    testCards: "テストカード",
    testCardsHint: "実際のカードは使用できません。選ぶと入力欄に反映されます。",
    outcomes: {
      approve: "承認",
      declined: "拒否",
      require_action: "本人確認が必要",
      block: "不正検知により停止",
      elsewhere: "2社目の決済事業者で承認",
      dispute: "承認後に異議申し立て"
    }
  },
  action: {
    title: "お支払いの確認",
    bank: "テスト銀行",
    question: (amount, merchant) => `${merchant}に${amount}を支払いますか？`,
    confirm: "支払いを承認する",
    refuse: "拒否する",
    done: { title: "確認しました", text: "お支払いを確認しました。このページは閉じてかまいません。" },
    refused: { title: "拒否しました", text: "お支払いは確認されず、請求も行われていません。このページは閉じてかまいません。" },
    over: { title: "確認するものはありません", text: "このお支払いはすでに確認済みか、期限が過ぎています。" }
  },
  declines: {
    generic_decline: "カードが承認されませんでした。別のカードをお試しいただくか、カード会社にお問い合わせください。",
    insufficient_funds: "カードの残高が不足しています。別のカードをお試しください。",
    lost_card: "カードが承認されませんでした。別のカードをご利用ください。",
    stolen_card: "カードが承認されませんでした。別のカードをご利用ください。",
    expired_card: "カードの有効期限が切れています。別のカードをご利用ください。",
    incorrect_cvc: "セキュリティコードが正しくありません。確認してもう一度お試しください。",
    processing_error: "カード会社で処理できませんでした。少し待ってからもう一度お試しください。",
    do_not_honor: "カード会社が理由を示さずに拒否しました。別のカードをお試しいただくか、カード会社にお問い合わせください。",
    card_velocity_exceeded: "カードの利用上限に達しています。別のカードをお試しいただくか、明日もう一度お試しください。",
    fraudulent: "カードが承認されませんでした。別のカードをご利用ください。",
    authentication_required: "カード会社での確認が完了していません。もう一度お試しのうえ、確認してください。",
    currency_not_supported: "このカードではこの通貨で支払えません。別のカードをご利用ください。",
    card_not_supported: "このカードはこの種類のお支払いに対応していません。別のカードをご利用ください。"
  }
}
