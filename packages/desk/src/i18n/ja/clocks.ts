/** What the page of the test clock says. */
import type { ClockTexts } from "../shapes/clocks.ts"

export const clock: ClockTexts = {
  title: "テスト時計",
  none: "このサンドボックスは実際の時刻で動いています",
  noneNote: "専用の時計があれば、1年後に起こることを今日確認できます。時計は進めるまで止まっていて、戻ることはありません。",
  live: "本番アカウントにはテスト時計はありません。サンドボックスの管理画面を開いてください。",
  give: "時計を付ける",
  now: "アカウントの現在時刻",
  statuses: { ready: "停止中", advancing: "進行中" },
  nextDue: "次の予定",
  nothingDue: "予定はありません。",
  since: "開始",
  advance: "進める",
  by: { hour: "1時間", day: "1日", week: "1週間", month: "1か月" },
  toNext: "次の予定まで",
  toMoment: "この時刻まで進める",
  moment: "時刻（UTC）",
  watching: "時計が進んでいます。このページは自動的に更新されます。",
  stop: "ここで止める",
  stopped: (reason) => `前回は途中で終了しました: ${reason}`,
  onTheWay: "途中で起きたこと",
  lately: "最近起きたこと",
  nothingHappened: "何も起きませんでした。",
  more: "ほかにもあります。すべてはイベントログにあります。",
  refused: "時計は動きませんでした",
  remove: "時計を外す",
  removeNote: "アカウントは実際の時刻に戻ります。時計に依存するものがない場合にのみ可能です。"
}
