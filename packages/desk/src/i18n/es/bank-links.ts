/** Words of the view of bank links. */
export const views = { bank_links: { many: "Vínculos bancarios", one: "Vínculo bancario", none: "No se encontraron vínculos bancarios." } }

export const fields = {
  accounts: "Cuentas bancarias",
  bank_account_id: "Cuenta bancaria",
  item_id: "ID en el proveedor",
  link_token: "Token del vínculo",
  linked_at: "Vinculado",
  outcome: "Resultado",
  public_token: "Token público",
  processor_token: "Token del procesador"
}

export const actions = {
  bank_links: {
    create: "Vincular un banco",
    exchange: "Canjear el token público",
    simulate: "Entrar en el banco simulado",
    verify_payout: "Transferir a una cuenta vinculada",
    processor_token: "Crear un token de procesador"
  }
}
