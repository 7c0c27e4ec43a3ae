/** Words of the view of passthrough sessions. */
export const views = {
  passthrough_sessions: {
    many: "Páginas de entrada seguras",
    one: "Página de entrada segura",
    none: "Aún no hay páginas de entrada seguras. En una de ellas, una persona da una cuenta bancaria o los datos de una empresa."
  }
}

export const fields = {
  flow_kind: "Para",
  "passthrough_sessions.path": "Página",
  prefilled: "Rellenado de antemano",
  "made_by.id": "Creada por",
  reuse: "La página abierta, si la hay",
  fields: "Campos"
}

export const actions = {
  passthrough_sessions: { create: "Crear una página de entrada segura", prefill: "Rellenar campos de antemano" }
}
