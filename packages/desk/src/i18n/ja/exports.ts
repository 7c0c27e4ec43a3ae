/** Words of the export of a list, and of the sums under it. */
import type { ExportTexts } from "../shapes/exports.ts"

export const exports: ExportTexts = {
  title: "エクスポート",
  note:
    "条件に合うすべての行を新しい順に出力します。途中で切れたダウンロードは、最後の完全な行の次から続けられます。アドレスの後ろに &after= とその行のIDを付けてください。",
  columns: "列",
  format: "形式",
  formats: { csv: "CSV（表計算ソフト用）", ndjson: "NDJSON（1行に1つのJSON）" },
  timeZone: "タイムゾーン（例: Europe/Berlin）",
  save: "ファイルを保存",
  unknown: (name) => `この一覧に${name}という条件はありません。何も出力されていません。`,
  unknownFormat: (format) => `${format}という形式はありません。csvかndjsonを選んでください。`,
  unknownColumn: (column) => `この一覧に${column}という列はありません。フォームの列から選んでください。`,
  unknownZone: (zone) => `${zone}はタイムゾーンではありません。UTCやEurope/Berlinのような名前を入力してください。`,
  showSums: "合計を表示",
  sums: "合計",
  sumsNote: "条件に合うすべての行の、通貨ごとの合計です。",
  count: "行数",
  noSums: "条件に合う行はありません。"
}
