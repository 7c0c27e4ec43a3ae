/** What the page of the assistant says. */
import type { AssistantTexts } from "../shapes/assistant.ts"

export const assistant: AssistantTexts = {
  question: "質問",
  note: "英語で、やさしい言葉でお書きください。あなたが読めるものだけを読み、何も変更しません。",
  ask: "質問する",
  examples: "例",
  asked: [
    "Why was my last payment declined?",
    "When is my money available?",
    "What is missing to go live?",
    "Which webhooks fail and why?",
    "What did fees cost last month?"
  ],
  answer: "回答",
  unsure: "ご質問の内容と違うかもしれません。別の言葉で尋ねるか、pi_…のようなIDを示してください。",
  open: "該当ページを開く",
  helps: "役立つ操作",
  acts: {
    open_onboarding_status: {
      label: "アカウントの状況を表示",
      does: "本番までの進み具合を読み取ります。何も変更しません。"
    },
    refresh_work_run: { label: "手順をもう一度確認", does: "アカウントの現在の内容から手順を計算し直します。" },
    accept_tos: {
      label: "利用規約に同意",
      does: "このアカウントについて現在の規約に同意したことを記録します。"
    },
    create_passthrough_session: {
      label: "機密情報のページを開く",
      does: "アシスタントに聞かせるべきでない情報を人が入力する、1時間有効なページを作成します。"
    },
    open_passthrough_payout_bank: {
      label: "振込先の銀行口座を入力",
      does: "振込先の銀行口座を入力する、1時間有効なページを開きます。"
    },
    open_passthrough_business_verify: {
      label: "事業者情報を入力",
      does: "事業者の確認に必要な情報を入力する、1時間有効なページを開きます。"
    },
    apply_passthrough_prefill: {
      label: "わかっている項目を入力",
      does: "開いているページの項目をアカウントの情報で埋めます。口座番号は決して入力しません。"
    },
    plaid_link_token: { label: "銀行との連携を開始", does: "銀行連携サービスとの連携を開始します。" },
    plaid_exchange: { label: "銀行との連携を完了", does: "銀行のページが返したものを受け取り、封印して保管します。" },
    plaid_verify_payout: { label: "連携口座を振込先として確認", does: "連携した銀行口座を振込先にします。" },
    plaid_processor_token: { label: "処理会社用トークンを取得", does: "連携した銀行口座のトークンを作成します。表示は一度だけです。" },
    enable_go_live: { label: "本番利用を申請", does: "運営者に本番利用を申請します。承認されるまで何も変わりません。" }
  },
  statuses: { completed: "完了", needs_approval: "承認待ち", failed: "未完了" },
  completed: "あなたの名前で実行し、監査ログに記録しました。",
  result: "結果",
  fields: {
    path: "ページ",
    goal_progress_pct: "完了した手順（%）",
    next_step_id: "次の手順",
    work_run_id: "本番までの手順",
    version: "バージョン",
    accepted_at: "同意日時",
    passthrough_session_id: "セッション",
    fields: "入力済みの項目",
    bank_link_id: "銀行連携",
    link_token: "連携トークン",
    expires_at: "終了",
    item_id: "連携サービスのID",
    accounts: "口座",
    destination_id: "振込先",
    status: "状況",
    processor_token: "処理会社用トークン（一度だけ表示）",
    approval_id: "申請",
    live_account_id: "本番アカウント",
    waits_for: "待っている相手",
    seen_at: "確認できる場所",
    missing: "不足",
    error: "コード",
    required_scope: "不足しているスコープ"
  },
  again: "別の質問をする"
}
