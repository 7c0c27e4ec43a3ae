/** Words of the view of bank links. */
export const views = { bank_links: { many: "銀行連携", one: "銀行連携", none: "銀行連携は見つかりません。" } }

export const fields = {
  accounts: "銀行口座",
  bank_account_id: "銀行口座",
  item_id: "連携サービスのID",
  link_token: "連携トークン",
  linked_at: "連携日時",
  outcome: "結果",
  public_token: "公開トークン",
  processor_token: "処理会社用トークン"
}

export const actions = {
  bank_links: {
    create: "銀行を連携",
    exchange: "公開トークンを交換",
    simulate: "模擬銀行にサインイン",
    verify_payout: "連携口座に振り込む",
    processor_token: "処理会社用トークンを作成"
  }
}
