/** Words of the view of passthrough sessions. */
export const views = {
  passthrough_sessions: {
    many: "Pages de saisie sécurisées",
    one: "Page de saisie sécurisée",
    none: "Aucune page de saisie sécurisée pour l’instant. Une personne y indique un compte bancaire ou les informations d’une entreprise."
  }
}

export const fields = {
  flow_kind: "Pour",
  "passthrough_sessions.path": "Page",
  prefilled: "Rempli d’avance",
  "made_by.id": "Créée par",
  reuse: "La page ouverte, s’il y en a une",
  fields: "Champs"
}

export const actions = {
  passthrough_sessions: { create: "Créer une page de saisie sécurisée", prefill: "Remplir des champs d’avance" }
}
