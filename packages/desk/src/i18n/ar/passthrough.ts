/** Words of the view of passthrough sessions. */
export const views = {
  passthrough_sessions: {
    many: "الصفحات السرية",
    one: "صفحة سرية",
    none: "لا صفحات سرية بعد. في الواحدة منها يعطي شخص حسابًا مصرفيًا أو بيانات نشاط."
  }
}

export const fields = {
  flow_kind: "الغرض",
  "passthrough_sessions.path": "الصفحة",
  prefilled: "مملوء مسبقًا",
  "made_by.id": "أنشأها",
  reuse: "الصفحة المفتوحة إن وُجدت",
  fields: "الحقول"
}

export const actions = {
  passthrough_sessions: { create: "إنشاء صفحة سرية", prefill: "ملء حقول مسبقًا" }
}
