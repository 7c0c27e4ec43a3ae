/** Words of the view of bank links. */
export const views = { bank_links: { many: "Bank links", one: "Bank link", none: "No bank links found." } }

export const fields = {
  accounts: "Bank accounts",
  bank_account_id: "Bank account",
  item_id: "ID at the provider",
  link_token: "Link token",
  linked_at: "Linked",
  outcome: "Outcome",
  public_token: "Public token",
  processor_token: "Processor token"
}

export const actions = {
  bank_links: {
    create: "Link a bank",
    exchange: "Exchange public token",
    simulate: "Sign in at the simulated bank",
    verify_payout: "Pay out to a linked account",
    processor_token: "Create processor token"
  }
}
