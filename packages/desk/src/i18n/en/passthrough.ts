/** Words of the view of passthrough sessions. */
export const views = {
  passthrough_sessions: {
    many: "Passthrough pages",
    one: "Passthrough page",
    none: "No passthrough pages yet. On one, a person gives a bank account or the details of a business."
  }
}

export const fields = {
  flow_kind: "For",
  "passthrough_sessions.path": "Page",
  prefilled: "Filled beforehand",
  "made_by.id": "Made by",
  reuse: "The open page, where there is one",
  fields: "Fields"
}

export const actions = {
  passthrough_sessions: { create: "Make a passthrough page", prefill: "Fill fields beforehand" }
}
