/** Words of the view of bank links. */
export const views = { bank_links: { many: "Liaisons bancaires", one: "Liaison bancaire", none: "Aucune liaison bancaire trouvée." } }

export const fields = {
  accounts: "Comptes bancaires",
  bank_account_id: "Compte bancaire",
  item_id: "ID chez le prestataire",
  link_token: "Jeton de la liaison",
  linked_at: "Reliée",
  outcome: "Résultat",
  public_token: "Jeton public",
  processor_token: "Jeton du processeur"
}

export const actions = {
  bank_links: {
    create: "Relier une banque",
    exchange: "Échanger le jeton public",
    simulate: "Se connecter à la banque simulée",
    verify_payout: "Virer vers un compte relié",
    processor_token: "Créer un jeton de processeur"
  }
}
