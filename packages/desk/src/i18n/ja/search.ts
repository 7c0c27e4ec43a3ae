/** Words of the search. */
import type { SearchTexts } from "../shapes/search.ts"

export const search: SearchTexts = {
  title: "検索",
  label: "すべてを検索",
  placeholder: "検索",
  button: "検索",
  found: (text) => `「${text}」の検索`,
  empty: "ID、メールアドレス、お客様、名前またはその単語の先頭、注文、請求書番号、カードの下4桁、" +
    "決済事業者の参照番号、$12.50のような金額、日付や月を入力してください。",
  none: "何も見つかりませんでした。",
  refused: "これは検索できません",
  unfinished: "検索の一部に時間がかかりすぎました。ほかにもある可能性があります。",
  understoodAs: (readings) => `検索の対象: ${readings}`,
  columns: { name: "名前", amount: "金額", state: "状況", created: "作成", matched: "一致した項目" },
  matches: {
    id: "ID",
    invoice_number: "請求書番号",
    email: "メールアドレス",
    customer_reference: "お客様の参照番号",
    provider_reference: "決済事業者の参照番号",
    order_reference: "注文",
    name: "名前",
    last_four: "下4桁",
    date: "日付",
    amount: "金額",
    id_beginning: "IDの先頭"
  }
}
