/** Words of the view of passthrough sessions. */
export const views = {
  passthrough_sessions: {
    many: "Sichere Eingabeseiten",
    one: "Sichere Eingabeseite",
    none: "Noch keine sicheren Eingabeseiten. Auf einer solchen gibt ein Mensch ein Bankkonto oder die Angaben eines Unternehmens an."
  }
}

export const fields = {
  flow_kind: "Für",
  "passthrough_sessions.path": "Seite",
  prefilled: "Vorausgefüllt",
  "made_by.id": "Erstellt von",
  reuse: "Die offene Seite, falls es eine gibt",
  fields: "Felder"
}

export const actions = {
  passthrough_sessions: { create: "Sichere Eingabeseite erstellen", prefill: "Felder vorausfüllen" }
}
