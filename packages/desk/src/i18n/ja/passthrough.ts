/** Words of the view of passthrough sessions. */
export const views = {
  passthrough_sessions: {
    many: "機密情報のページ",
    one: "機密情報のページ",
    none: "機密情報のページはまだありません。銀行口座や事業者情報を人が入力するためのページです。"
  }
}

export const fields = {
  flow_kind: "用途",
  "passthrough_sessions.path": "ページ",
  prefilled: "入力済み",
  "made_by.id": "作成者",
  reuse: "開いているページがあればそれを使う",
  fields: "項目"
}

export const actions = {
  passthrough_sessions: { create: "機密情報のページを作成", prefill: "項目をあらかじめ入力" }
}
