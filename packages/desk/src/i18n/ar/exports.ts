/** Words of the export of a list, and of the sums under it. */
import type { ExportTexts } from "../shapes/exports.ts"

export const exports: ExportTexts = {
  title: "تصدير",
  note: "كل الأسطر التي توافق عوامل التصفية، الأحدث أولًا. التنزيل المنقطع يُستأنف بعد آخر سطر كامل: أضف ‎&after=‎ ومعرّف ذلك " +
    "السطر إلى عنوانه.",
  columns: "الأعمدة",
  format: "الصيغة",
  formats: { csv: "CSV لجداول البيانات", ndjson: "NDJSON، نص JSON في كل سطر" },
  timeZone: "المنطقة الزمنية، مثل Europe/Berlin",
  save: "حفظ الملف",
  unknown: (name) => `لا عامل تصفية باسم ${name} في هذه القائمة. لم يُصدَّر شيء.`,
  unknownFormat: (format) => `لا توجد صيغة ${format}: اختر csv أو ndjson.`,
  unknownColumn: (column) => `لا عمود باسم ${column} في هذه القائمة. اختر من أعمدة النموذج.`,
  unknownZone: (zone) => `${zone} ليست منطقة زمنية. اكتب اسم منطقة، مثل UTC أو Europe/Berlin.`,
  showSums: "عرض المجاميع",
  sums: "المجاميع",
  sumsNote: "لكل الأسطر التي توافق عوامل التصفية، حسب العملة.",
  count: "الأسطر",
  noSums: "لا سطر يوافق هذه العوامل."
}
