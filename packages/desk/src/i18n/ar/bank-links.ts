/** Words of the view of bank links. */
export const views = { bank_links: { many: "الروابط المصرفية", one: "ربط مصرفي", none: "لا توجد روابط مصرفية." } }

export const fields = {
  accounts: "الحسابات المصرفية",
  bank_account_id: "الحساب المصرفي",
  item_id: "المعرّف لدى المزوّد",
  link_token: "رمز الربط",
  linked_at: "وقت الربط",
  outcome: "النتيجة",
  public_token: "الرمز العام",
  processor_token: "رمز معالج المدفوعات"
}

export const actions = {
  bank_links: {
    create: "ربط بنك",
    exchange: "استبدال الرمز العام",
    simulate: "تسجيل الدخول لدى البنك المحاكى",
    verify_payout: "الدفع إلى حساب مرتبط",
    processor_token: "إنشاء رمز لمعالج المدفوعات"
  }
}
