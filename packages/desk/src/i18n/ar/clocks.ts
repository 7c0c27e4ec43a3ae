/** What the page of the test clock says. */
import type { ClockTexts } from "../shapes/clocks.ts"

export const clock: ClockTexts = {
  title: "ساعة الاختبار",
  none: "تعيش بيئة الاختبار هذه بوقت العالم",
  noneNote: "بساعة خاصة ترى اليوم ما سيحدث بعد سنة: الساعة متوقفة حتى تقدّمها، ولا ترجع أبدًا.",
  live: "الحسابات الحقيقية بلا ساعة اختبار. افتح لوحة تحكم حساب اختباري.",
  give: "أعطه ساعة",
  now: "اللحظة الحالية للحساب",
  statuses: { ready: "متوقفة", advancing: "في الطريق" },
  nextDue: "الموعد التالي",
  nothingDue: "لا شيء في الانتظار.",
  since: "منذ",
  advance: "تقديم",
  by: { hour: "ساعة", day: "يوم", week: "أسبوع", month: "شهر" },
  toNext: "حتى الموعد التالي",
  toMoment: "تقديم حتى هذه اللحظة",
  moment: "اللحظة (UTC)",
  watching: "الساعة في الطريق. تتحدث هذه الصفحة من تلقاء نفسها.",
  stop: "توقف هنا",
  stopped: (reason) => `انتهى آخر تقديم قبل أوانه: ${reason}.`,
  onTheWay: "ما حدث في الطريق",
  lately: "ما حدث مؤخرًا",
  nothingHappened: "لم يحدث شيء.",
  more: "حدث المزيد؛ كله في سجل الأحداث.",
  refused: "لم تتحرك الساعة",
  remove: "إزالة الساعة",
  removeNote: "يعود الحساب إلى وقت العالم. لا يمكن ذلك إلا إذا لم يعتمد شيء على الساعة."
}
