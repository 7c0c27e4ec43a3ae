import type { OnboardingTexts } from "../shapes/onboarding.ts"

/** Words of the views of `onboarding`. */
export const views = {
  terms: { many: "利用規約", one: "利用規約", none: "利用規約はありません。" },
  terms_acceptances: { many: "利用規約への同意", one: "利用規約への同意", none: "利用規約はまだ同意されていません。" },
  go_live_requests: { many: "本番利用", one: "本番利用の申請", none: "本番利用の申請はまだありません。" },
  operator_go_live_requests: { many: "本番利用の申請", one: "本番利用の申請", none: "本番利用を申請しているアカウントはありません。" }
}

export const fields = {
  accepted_at: "同意日時",
  accepted_by: "同意した人",
  account_name: "アカウント名",
  live_account_id: "本番アカウント",
  rejection_reason: "却下の理由",
  terms_version: "バージョン",
  text: "本文",
  version: "バージョン"
}

export const actions = {
  terms: { accept: "規約に同意" },
  terms_acceptances: {},
  go_live_requests: { create: "本番利用を申請" },
  operator_go_live_requests: { approve: "承認して本番アカウントを開設", reject: "却下" }
}

export const onboarding: OnboardingTexts = {
  title: "本番利用まで",
  live: {
    title: "本番アカウントです：残りの手順",
    payment: "お客様を決済ページに案内するか、サーバーから支払い方法に請求してください。ここではテストカードは使えません。"
  },
  progress: (done, all) => `${all}件中${done}件の手順が完了しています。`,
  opened: "本番アカウントが開設されました。「あなたのアカウント」から切り替えられます",
  states: { done: "完了", open: "未完了", waiting: "確認中" },
  steps: {
    terms: {
      title: "規約に同意する",
      text: "オーナーが読み、アカウントとして同意します。",
      waits: "規約は同意を待っています。"
    },
    business_verified: {
      title: "事業者の確認を受ける",
      text: "アカウントの背後に誰がいるかを入力してください。",
      waits: "事業者を確認しています。"
    },
    payout_bank: {
      title: "振込先の銀行口座を追加する",
      text: "資金の送り先を指定し、確認を受けてください。",
      waits: "銀行口座は確認済みです。自動的に有効になります。"
    },
    webhook_endpoint: {
      title: "支払いの通知を受け取る",
      text: "サーバーがWebhookを受け取る場所を指定してください。",
      waits: "エンドポイントを確認しています。"
    },
    first_payment: {
      title: "支払いを受け取る",
      text: "このアカウントのシークレットキーを使ってターミナルから送信してください。",
      waits: "支払いは処理中です。"
    },
    live: {
      title: "本番利用を始める",
      text: "ほかがすべて完了したら、オーナーが本番アカウントを申請します。サンドボックスはテスト用に残ります。",
      waits: "運営者が申請を確認しています。"
    }
  },
  requests: {
    title: "本番利用の申請",
    none: "本番利用を待っているアカウントはありません。",
    waits: "が本番利用を申請しています"
  }
}
