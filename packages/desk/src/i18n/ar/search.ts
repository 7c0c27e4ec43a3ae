/** Words of the search. */
import type { SearchTexts } from "../shapes/search.ts"

export const search: SearchTexts = {
  title: "البحث",
  label: "البحث في كل شيء",
  placeholder: "بحث",
  button: "بحث",
  found: (text) => `البحث عن «${text}»`,
  empty: "ابحث عن معرّف أو بريد إلكتروني أو عميل أو اسم أو بداية كلماته أو طلب أو رقم فاتورة أو آخر أربعة أرقام من بطاقة " +
    "أو مرجع مزوّد أو مبلغ مثل $12.50 أو يوم أو شهر.",
  none: "لم يُعثر على شيء.",
  refused: "لا يمكن البحث عن هذا",
  unfinished: "استغرق جزء من البحث وقتًا طويلًا. قد يوجد أكثر مما يظهر.",
  understoodAs: (readings) => `بُحث عنه بصفته: ${readings}.`,
  columns: { name: "الاسم", amount: "المبلغ", state: "الوضع", created: "أُنشئ", matched: "وُجد عبر" },
  matches: {
    id: "معرّف",
    invoice_number: "رقم فاتورة",
    email: "بريد إلكتروني",
    customer_reference: "مرجع العميل",
    provider_reference: "مرجع المزوّد",
    order_reference: "طلب",
    name: "اسم",
    last_four: "آخر أربعة أرقام",
    date: "تاريخ",
    amount: "مبلغ",
    id_beginning: "بداية معرّف"
  }
}
