/** Words of the frame, of lists, details and forms, and of refusals. */
import type { ActionTexts, DetailTexts, FrameTexts, ListTexts, RefusalTexts } from "../shapes/engine.ts"

export const nav: FrameTexts = {
  label: "管理画面",
  menu: "メニュー",
  home: "ホーム",
  signOut: "サインアウト",
  skip: "本文へ移動",
  signedInAs: (name, role) => `${name}（${role}）`,
  fresh: "変更がありました。表示する"
}

export const list: ListTexts = {
  filter: "適用",
  filters: "絞り込み",
  clear: "クリア",
  first: "最新へ",
  older: "次へ（古い）",
  newer: "前へ（新しい）",
  pages: "ページ",
  any: "すべて",
  noMatch: "条件に合うものはありません。",
  amountOfCurrency: "通貨も指定してください。金額はその通貨で読み取られます。",
  from: (field) => `${field}（UTC、以降）`,
  before: (field) => `${field}（UTC、より前）`,
  least: (field) => `${field}（以上）`,
  most: (field) => `${field}（以下）`
}

export const detail: DetailTexts = {
  facts: "詳細",
  actions: "操作",
  all: (things) => `${things}をすべて表示`,
  raw: "JSONで表示",
  another: "これはあなたが依頼したものです。決めるのは別の人です。",
  rows: {
    number: "番号",
    outcome: "結果",
    response_status: "応答",
    duration_ms: "ミリ秒",
    error: "エラー",
    quantity: "数量",
    unit_amount: "単価",
    last_four: "末尾",
    field: "項目"
  }
}

export const action: ActionTexts = {
  keep: "戻る",
  final: "この操作は取り消せません。",
  optional: "任意",
  utc: "UTC",
  line: "1行に1つ",
  choose: "選択してください",
  each: "すべて",
  unlimited: "すべて（今後追加されるものも含む）",
  notSent: "何も変更されていません。金額を読み取れませんでした。",
  noAmount: (currency, digits) =>
    digits === 0
      ? `${currency}の金額を整数で入力してください（例: 12）。`
      : `${currency}の金額を入力してください（例: 12.${"50".padEnd(digits, "0").slice(0, digits)}）。`,
  noDecimal: "12.50のように金額を入力してください。",
  eachCurrency: "100.00は100.00 USD、または10000 JPYを意味します",
  minorUnits: "このメッセージの金額は、セントなど通貨の最小単位で数えています。",
  done: (done) => `${done}: 完了しました。`,
  next: (action) => `次の手順: ${action}`,
  most: (currency, most) => `${currency}で、最大${most}。空欄の場合は全額です`,
  changed: "その間に、ここか別の場所で変更されました。何も実行していません。現在の状態を確認してから、もう一度お決めください。",
  impossible: { title: "今はできません", text: "対象が変わっています。現在の状態をご確認ください。" },
  shownOnce: { title: "一度だけ表示されます", text: "今すぐコピーし、秘密の情報を保管する場所に保存してください。再表示はできません。" },
  copy: "コピー",
  copied: "コピーしました",
  onward: "保存しました"
}

export const refusals: RefusalTexts = {
  unauthorized: { title: "もう一度サインインしてください", text: "セッションが終了しました。何も変更されていません。" },
  forbidden: { title: "あなたの役割では許可されていません", text: "アカウントのオーナーにお問い合わせください。" },
  rolesThatMay: (roles) => `次の役割なら可能です: ${roles}。アカウントのオーナーに依頼してください。`,
  notFound: { title: "ここには何もありません", text: "アドレスが間違っているか、別のアカウントのものです。" },
  conflict: { title: "現在の状態と合いません", text: "何も変更されていません。" },
  limited: { title: "リクエストが多すぎます", text: "何も変更されていません。少し待ってからもう一度お試しください。" },
  wait: (seconds) => `何も変更されていません。${seconds}秒後にもう一度お試しください。`,
  unavailable: {
    title: "サービスが応答できません",
    text: "少し待ってからもう一度お試しください。フォームを再送信しても、二重に実行されることはありません。"
  },
  broken: {
    title: "問題が発生しました",
    text: "少し待ってからもう一度お試しください。フォームを再送信しても、二重に実行されることはありません。"
  }
}
