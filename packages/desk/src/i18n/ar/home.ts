import type { HomeTexts } from "../shapes/home.ts"

const plural = new Intl.PluralRules("ar")

interface Forms {
  readonly one: string
  readonly two: string
  readonly few: string
  readonly many: string
}

/** Arabic has a dual, and other forms for three to ten and from eleven on. */
const of = (count: number, { few, many, one, two }: Forms): string => {
  const rule = plural.select(count)
  return rule === "one" ? one : rule === "two" ? two : `${count} ${rule === "few" ? few : many}`
}

export const home: HomeTexts = {
  attention: {
    title: "مطلوب إنجازه",
    none: "لا شيء ينتظر أحدًا.",
    kinds: {
      webhook_endpoint_failing: (count) =>
        `عنوان الويب هوك لا يستقبل الإرسالات: ${
          of(count, { one: "إرسال فاشل واحد", two: "إرسالان فاشلان", few: "إرسالات فاشلة", many: "إرسالًا فاشلًا" })
        }.`,
      payout_failed: () => "فشلت دفعة صادرة، وعاد المال.",
      dispute_due: () => "نزاع ينتظر الأدلة.",
      reconciliation_mismatch: (count) =>
        `${of(count, { one: "سطر واحد", two: "سطران", few: "أسطر", many: "سطرًا" })} من كشف الحساب لا يوافق الدفاتر.`,
      ledger_broken: () => "وجد التحقق من دفتر الأستاذ كسرًا.",
      approval_waiting: () => "دفعة تنتظر الموافقة.",
      second_look_waiting: () => "ما طلبه شخص ينتظر شخصًا ثانيًا."
    },
    since: "منذ",
    due: "حتى",
    other: (kind, count) => `${kind.replaceAll("_", " ")}: ${count}`
  },
  volume: {
    title: "الحجم",
    today: "اليوم",
    month: "آخر 30 يومًا",
    payments: (count) => of(count, { one: "دفعة واحدة", two: "دفعتان", few: "دفعات", many: "دفعة" }),
    refunded: "مسترد",
    none: "لم يُحصَّل شيء في آخر 30 يومًا.",
    counting: "الأيام الأقدم ما زالت قيد الجمع."
  },
  balances: { title: "الأرصدة", pending: "معلّق", available: "متاح", reserved: "محجوز" },
  latest: { title: "أحدث الدفعات", all: "كل الدفعات" },
  mail: {
    subject: (account, count) =>
      `${account}: ${
        of(count, { one: "أمر واحد يحتاج إليك", two: "أمران يحتاجان إليك", few: "أمور تحتاج إليك", many: "أمرًا يحتاج إليك" })
      }`,
    greeting: (account) => `هذا يحتاج إلى شخص في ${account}:`,
    open: "افتح لوحة التحكم",
    why: "تصلك هذه الرسالة مرة واحدة لكل أمر، لأن دورك يستطيع معالجته."
  }
}
