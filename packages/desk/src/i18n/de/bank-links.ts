/** Words of the view of bank links. */
export const views = { bank_links: { many: "Bankverbindungen", one: "Bankverbindung", none: "Keine Bankverbindungen gefunden." } }

export const fields = {
  accounts: "Bankkonten",
  bank_account_id: "Bankkonto",
  item_id: "ID beim Anbieter",
  link_token: "Token der Verbindung",
  linked_at: "Verbunden",
  outcome: "Ergebnis",
  public_token: "Öffentliches Token",
  processor_token: "Token des Zahlungsabwicklers"
}

export const actions = {
  bank_links: {
    create: "Eine Bank verbinden",
    exchange: "Öffentliches Token einlösen",
    simulate: "Bei der simulierten Bank anmelden",
    verify_payout: "Auf ein verbundenes Konto auszahlen",
    processor_token: "Token für Zahlungsabwickler erstellen"
  }
}
