import type { PictureTexts } from "../shapes/pictures.ts"

export const pictures: PictureTexts = {
  numbers: "الأرقام",
  day: "اليوم",
  captured: "محصَّل",
  refunded: "مسترد",
  payments: "الدفعات",
  pending: "معلّق",
  available: "متاح",
  reserved: "محجوز",
  currency: "العملة",
  volume: {
    title: (currency) => `المحصَّل والمسترد في كل يوم، ${currency}`,
    about: (captured, refunded) => `المحصَّل ${captured} والمسترد ${refunded} في المجموع.`
  },
  balances: {
    title: (currency) => `الأرصدة في نهاية كل يوم، ${currency}`,
    about: (pending, available, reserved) => `في آخر يوم: معلّق ${pending}، ومتاح ${available}، ومحجوز ${reserved}.`,
    before: "قبل ذلك"
  },
  flow: {
    title: "مال هذه الدفعة",
    about: (movements) => movements === 1 ? "حركة واحدة بين الأرصدة." : `عدد الحركات بين الأرصدة: ${movements}.`,
    outside: "الخارج",
    movement: (event, amount) => `${event} ${amount}`,
    now: "الموجود الآن من هذه الدفعة",
    earlier: (count) => count === 1 ? "حركة سابقة واحدة في الجدول وحده." : `حركات سابقة في الجدول وحده: ${count}.`
  },
  moments: {
    title: "ما يحدث ومتى",
    about: (past, ahead) => `${past} في الماضي، ${ahead} لاحقًا.`,
    number: "رقم",
    what: "ماذا",
    when: "متى",
    state: "الحالة",
    now: "الآن",
    states: { done: "تم", good: "ناجح", bad: "فاشل", due: "مهلة", planned: "مخطط" },
    opened: "فُتح النزاع",
    evidenceDue: "موعد الأدلة",
    evidenceSent: "أُرسلت الأدلة",
    closed: (status) => `القرار: ${status}`,
    cycleDue: "موعد التحصيل",
    attempt: (number, outcome) => `المحاولة ${number}: ${outcome}`,
    nextAttempt: "المحاولة التالية",
    graceEnds: "نهاية السماح",
    created: "أُنشئ",
    sent: "سُلّم إلى البنك",
    settles: "التسوية",
    ended: (status) => `انتهى: ${status}`
  }
}
