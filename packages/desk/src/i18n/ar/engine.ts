/** Words of the frame, of lists, details and forms, and of refusals. */
import type { ActionTexts, DetailTexts, FrameTexts, ListTexts, RefusalTexts } from "../shapes/engine.ts"

export const nav: FrameTexts = {
  label: "لوحة التحكم",
  menu: "القائمة",
  home: "الرئيسية",
  signOut: "تسجيل الخروج",
  skip: "الانتقال إلى المحتوى",
  signedInAs: (name, role) => `${name}، ${role}`,
  fresh: "تغيّر شيء ما. اعرضه."
}

export const list: ListTexts = {
  filter: "تطبيق",
  filters: "عوامل التصفية",
  clear: "مسح",
  first: "الأحدث",
  older: "الأقدم",
  newer: "الأجدد",
  pages: "الصفحات",
  any: "الكل",
  noMatch: "لا شيء يطابق هذه العوامل.",
  amountOfCurrency: "حدّد العملة أيضًا: يُقرأ المبلغ بها.",
  from: (field) => `${field}، ابتداءً من (UTC)`,
  before: (field) => `${field}، قبل (UTC)`,
  least: (field) => `${field}، على الأقل`,
  most: (field) => `${field}، على الأكثر`
}

export const detail: DetailTexts = {
  facts: "التفاصيل",
  actions: "الإجراءات",
  all: (things) => `${things}: عرض الكل`,
  raw: "بصيغة JSON",
  another: "أنت من طلب هذا. يقرر فيه شخص آخر.",
  rows: {
    number: "الرقم",
    outcome: "النتيجة",
    response_status: "الرد",
    duration_ms: "مللي ثانية",
    error: "الخطأ",
    quantity: "الكمية",
    unit_amount: "سعر الوحدة",
    last_four: "ينتهي بـ",
    field: "الحقل"
  }
}

export const action: ActionTexts = {
  keep: "رجوع",
  final: "لا يمكن التراجع عن هذا.",
  optional: "اختياري",
  utc: "UTC",
  line: "واحد في كل سطر",
  choose: "اختر",
  each: "الكل",
  unlimited: "الكل، وما يُضاف لاحقًا أيضًا",
  notSent: "لم يتغير شيء: تعذرت قراءة أحد المبالغ.",
  noAmount: (currency, digits) =>
    digits === 0
      ? `اكتب عددًا صحيحًا من ${currency}، مثل 12.`
      : `اكتب مبلغًا بعملة ${currency}، مثل 12.${"50".padEnd(digits, "0").slice(0, digits)}.`,
  noDecimal: "اكتب مبلغًا مثل 12.50.",
  eachCurrency: "100.00 تعني 100.00 USD أو 10000 JPY",
  minorUnits: "المبالغ في هذه الرسالة محسوبة بأصغر وحدة من العملة، مثل السنت.",
  done: (done) => `${done}: تم.`,
  next: (action) => `التالي: ${action}.`,
  most: (currency, most) => `بعملة ${currency}، ${most} على الأكثر؛ اتركه فارغًا للمبلغ كله`,
  changed: "تغيّر في هذه الأثناء، هنا أو في مكان آخر. لم يُنفَّذ شيء. انظر إلى حالته الآن ثم قرر من جديد.",
  impossible: { title: "لا يمكن ذلك الآن", text: "تغيّر ما كان سيُنفَّذ عليه. انظر إلى حالته الآن." },
  shownOnce: { title: "يظهر مرة واحدة", text: "انسخه الآن واحفظه حيث تحفظ الأسرار. لا يمكن عرضه مرة أخرى." },
  copy: "نسخ",
  copied: "نُسخ",
  onward: "حفظته"
}

export const refusals: RefusalTexts = {
  unauthorized: { title: "سجّل الدخول من جديد", text: "انتهت جلستك. لم يتغير شيء." },
  forbidden: { title: "دورك لا يسمح بذلك", text: "اسأل أحد مالكي الحساب." },
  rolesThatMay: (roles) => `هذه الأدوار تستطيع: ${roles}. اطلب أحدها من مالك الحساب.`,
  notFound: { title: "لا يوجد شيء هنا", text: "العنوان خاطئ أو يخص حسابًا آخر." },
  conflict: { title: "هذا لا يوافق الحالة الحالية", text: "لم يتغير شيء." },
  limited: { title: "طلبات كثيرة في وقت واحد", text: "لم يتغير شيء. حاول مرة أخرى بعد لحظة." },
  wait: (seconds) => `لم يتغير شيء. حاول مرة أخرى بعد ${seconds} ثانية.`,
  unavailable: { title: "الخدمة لا تستطيع الرد الآن", text: "حاول مرة أخرى بعد لحظة. إرسال النموذج مرتين لا ينفّذ شيئًا مرتين." },
  broken: { title: "حدث خطأ", text: "حاول مرة أخرى بعد لحظة. إرسال النموذج مرتين لا ينفّذ شيئًا مرتين." }
}
