/** The words of an invoice, in the languages of the pages that customers see. What the merchant wrote stays as it is. */
import type { InvoiceStatus } from "../model.ts"

export interface Labels {
  readonly invoice: string
  readonly number: string
  readonly issued: string
  readonly due: string
  readonly paidOn: string
  readonly period: string
  readonly billTo: string
  readonly lines: string
  readonly description: string
  readonly amount: string
  readonly subtotal: string
  readonly adjustment: string
  readonly credit: string
  readonly carried: string
  readonly total: string
  readonly paid: string
  readonly amountDue: string
  readonly sums: string
  readonly pay: string
  readonly pdf: string
  readonly testMode: string
  /** Why a part of a price: so many seconds of so many, of this price. */
  readonly why: (
    part: { readonly from: string; readonly to: string; readonly seconds: string; readonly of: string; readonly price: string }
  ) => string
  readonly page: (number: string) => string
  readonly status: Readonly<Record<InvoiceStatus, string>>
}

const en: Labels = {
  invoice: "Invoice",
  number: "Number",
  issued: "Issued",
  due: "Due",
  paidOn: "Paid on",
  period: "Period",
  billTo: "Bill to",
  lines: "What it is for",
  description: "Description",
  amount: "Amount",
  subtotal: "Subtotal",
  adjustment: "Adjustments",
  credit: "Credit used",
  carried: "Credit carried to the next invoice",
  total: "Total",
  paid: "Paid",
  amountDue: "Amount due",
  sums: "Sums",
  pay: "Pay now",
  pdf: "Download as PDF",
  testMode: "Test mode",
  why: ({ from, of, price, seconds, to }) => `${from} to ${to}: ${seconds} of ${of} seconds of ${price}`,
  page: (number) => `Page ${number}`,
  status: { draft: "Draft", open: "Open", paid: "Paid", void: "Void", uncollectible: "Uncollectible" }
}

const de: Labels = {
  invoice: "Rechnung",
  number: "Nummer",
  issued: "Ausgestellt",
  due: "Fällig",
  paidOn: "Bezahlt am",
  period: "Zeitraum",
  billTo: "Rechnung an",
  lines: "Positionen",
  description: "Beschreibung",
  amount: "Betrag",
  subtotal: "Zwischensumme",
  adjustment: "Anpassungen",
  credit: "Verwendetes Guthaben",
  carried: "Guthaben für die nächste Rechnung",
  total: "Gesamtbetrag",
  paid: "Bezahlt",
  amountDue: "Offener Betrag",
  sums: "Summen",
  pay: "Jetzt bezahlen",
  pdf: "Als PDF herunterladen",
  testMode: "Testmodus",
  why: ({ from, of, price, seconds, to }) => `${from} bis ${to}: ${seconds} von ${of} Sekunden von ${price}`,
  page: (number) => `Seite ${number}`,
  status: { draft: "Entwurf", open: "Offen", paid: "Bezahlt", void: "Storniert", uncollectible: "Uneinbringlich" }
}

const fr: Labels = {
  invoice: "Facture",
  number: "Numéro",
  issued: "Émise le",
  due: "Échéance",
  paidOn: "Payée le",
  period: "Période",
  billTo: "Facturé à",
  lines: "Détail",
  description: "Description",
  amount: "Montant",
  subtotal: "Sous-total",
  adjustment: "Ajustements",
  credit: "Crédit utilisé",
  carried: "Crédit reporté sur la prochaine facture",
  total: "Total",
  paid: "Payé",
  amountDue: "Montant dû",
  sums: "Totaux",
  pay: "Payer",
  pdf: "Télécharger le PDF",
  testMode: "Mode test",
  why: ({ from, of, price, seconds, to }) => `${from} – ${to} : ${seconds} secondes sur ${of} de ${price}`,
  page: (number) => `Page ${number}`,
  status: { draft: "Brouillon", open: "Ouverte", paid: "Payée", void: "Annulée", uncollectible: "Irrécouvrable" }
}

const es: Labels = {
  invoice: "Factura",
  number: "Número",
  issued: "Emitida",
  due: "Vencimiento",
  paidOn: "Pagada el",
  period: "Período",
  billTo: "Facturar a",
  lines: "Conceptos",
  description: "Descripción",
  amount: "Importe",
  subtotal: "Subtotal",
  adjustment: "Ajustes",
  credit: "Crédito usado",
  carried: "Crédito para la próxima factura",
  total: "Total",
  paid: "Pagado",
  amountDue: "Importe pendiente",
  sums: "Totales",
  pay: "Pagar ahora",
  pdf: "Descargar en PDF",
  testMode: "Modo de prueba",
  why: ({ from, of, price, seconds, to }) => `${from} a ${to}: ${seconds} de ${of} segundos de ${price}`,
  page: (number) => `Página ${number}`,
  status: { draft: "Borrador", open: "Abierta", paid: "Pagada", void: "Anulada", uncollectible: "Incobrable" }
}

const ja: Labels = {
  invoice: "請求書",
  number: "請求書番号",
  issued: "発行日",
  due: "支払期日",
  paidOn: "支払日",
  period: "対象期間",
  billTo: "請求先",
  lines: "明細",
  description: "内容",
  amount: "金額",
  subtotal: "小計",
  adjustment: "調整額",
  credit: "充当クレジット",
  carried: "次回への繰越クレジット",
  total: "合計",
  paid: "支払済額",
  amountDue: "請求額",
  sums: "合計欄",
  pay: "支払う",
  pdf: "PDFをダウンロード",
  testMode: "テストモード",
  why: ({ from, of, price, seconds, to }) => `${from}から${to}まで：${price}の${of}秒のうち${seconds}秒分`,
  page: (number) => `${number}ページ`,
  status: { draft: "下書き", open: "未払い", paid: "支払済み", void: "無効", uncollectible: "回収不能" }
}

const ar: Labels = {
  invoice: "فاتورة",
  number: "الرقم",
  issued: "تاريخ الإصدار",
  due: "تاريخ الاستحقاق",
  paidOn: "تاريخ الدفع",
  period: "الفترة",
  billTo: "فاتورة إلى",
  lines: "التفاصيل",
  description: "الوصف",
  amount: "المبلغ",
  subtotal: "المجموع الفرعي",
  adjustment: "التعديلات",
  credit: "الرصيد المستخدم",
  carried: "الرصيد المرحل إلى الفاتورة التالية",
  total: "المجموع",
  paid: "المدفوع",
  amountDue: "المبلغ المستحق",
  sums: "المجاميع",
  pay: "ادفع الآن",
  pdf: "تنزيل بصيغة PDF",
  testMode: "وضع الاختبار",
  why: ({ from, of, price, seconds, to }) => `${seconds} من ${of} ثانية من ${price}، من ${from} إلى ${to}`,
  page: (number) => `صفحة ${number}`,
  status: { draft: "مسودة", open: "مفتوحة", paid: "مدفوعة", void: "ملغاة", uncollectible: "غير قابلة للتحصيل" }
}

const all: Readonly<Record<string, Labels>> = { en, de, fr, es, ja, ar }

/** The words for a language tag of BCP 47, and the language that they are in: English where there are none. */
export const labelsFor = (locale: string): { readonly language: string; readonly labels: Labels } => {
  const [language = "en"] = locale.split("-")
  const labels = Object.hasOwn(all, language) ? all[language] : undefined
  return labels === undefined ? { language: "en", labels: en } : { language, labels }
}
