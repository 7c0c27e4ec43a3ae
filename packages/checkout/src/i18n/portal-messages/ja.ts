import type { PortalMessages } from "./shape.ts"

export const ja: PortalMessages = {
  title: (merchant) => `${merchant}のアカウント`,
  nav: { label: "アカウント", overview: "概要", invoices: "請求書", methods: "お支払い方法" },
  backToOverview: "概要に戻る",
  noSubscriptions: { title: "ご契約はまだありません", text: "ご契約いただくと、ここにすべて表示されます。" },
  details: {
    title: "お客様情報",
    name: "お名前",
    nameInvalid: "お名前を1行、200文字以内で入力してください。",
    cardNumber: "ここにカード番号を入力しないでください。",
    save: "保存する"
  },
  status: { trialing: "お試し期間", active: "有効", past_due: "お支払いが遅れています", paused: "一時停止中", canceled: "終了" },
  facts: {
    next: "次回のお支払い",
    nextOn: (amount, day) => `${day}に${amount}`,
    method: "お支払い方法",
    trialUntil: (day) => `${day}まで無料`,
    endsOn: (day) => `${day}まで利用でき、更新されません`,
    endedOn: (day) => `${day}に終了しました`,
    paused: "一時停止中は請求されません",
    changesTo: (plan, day) => `${day}に${plan}へ変わります`,
    changing: (plan) => `お支払いが確認され次第、${plan}へ変わります`,
    credit: (amount) => `お預かりしている残高が${amount}あります`,
    noMethod: "お支払い方法がまだありません"
  },
  pastDue: {
    title: "前回のお支払いができませんでした",
    text: (amount) => `${amount}が未払いです。`,
    retry: (day) => `${day}にもう一度請求します。`,
    stopped: "自動では再請求されません。",
    update: "カードを変更すると、すぐにお支払いでき、ご契約を続けられます。",
    ask: (merchant) => `ご契約を続けるには、${merchant}にお問い合わせください。`
  },
  actions: {
    changeDetails: "お客様情報を変更",
    changePlan: "プランを変更",
    cancel: "解約する",
    uncancel: "契約を続ける",
    pause: "一時停止",
    resume: "再開",
    updateCard: "カードを変更"
  },
  invoices: {
    title: "請求書",
    none: "請求書はまだありません。",
    status: { draft: "下書き", open: "未払い", paid: "支払い済み", void: "無効", uncollectible: "回収不能" },
    pdf: (number) => `請求書${number}のPDF`,
    pdfShort: "PDF",
    view: (number) => `請求書${number}を見る`,
    viewShort: "見る",
    pay: (amount) => `${amount}を支払う`,
    older: "以前の請求書",
    newer: "新しい請求書"
  },
  methods: {
    title: "お支払い方法",
    none: "登録されたお支払い方法はありません。",
    ending: (brand, digits) => `${brand}、末尾${digits}`,
    otherKind: { card: "カード", bank_account: "銀行口座", usdc_wallet: "USDCウォレット" },
    expires: (date) => `有効期限 ${date}`,
    expired: (date) => `期限切れ ${date}`,
    defaultMethod: "お支払いに使用中",
    add: "別のカードを使う",
    addText: "今後のお支払いにこのカードを使います。",
    addOwing: (amount) => `未払いの${amount}が、すぐにこのカードに請求されます。`,
    save: "カードを保存",
    savePaying: (amount) => `カードを保存して${amount}を支払う`
  },
  plan: {
    title: "プランの変更",
    choose: "プランをお選びください",
    current: "現在のプラン",
    none: "変更できる他のプランはありません。",
    next: "次へ",
    unchosen: "まずプランをお選びください。",
    previewTitle: (plan) => `${plan}への変更`,
    from: "現在",
    to: "変更後",
    starts: "開始",
    atOnce: "すぐに",
    unused: (plan) => `${plan}の未使用分`,
    rest: (plan) => `${plan}の残り期間分`,
    period: (plan) => plan,
    earlier: "以前の変更分",
    credit: "お預かり残高",
    carried: "次回のお支払いのための残高になります",
    span: (from, to) => `${from}から${to}まで`,
    lines: "金額の内訳",
    dueNow: "今回のお支払い",
    nothingNow: "今は請求されません。",
    onNext: (day) => `${day}のお支払いに加算されます`,
    lessNext: (day) => `${day}のお支払いから差し引かれます`,
    thenFrom: (price, day) => `${day}から${price}`,
    confirm: "変更を確定",
    confirmPaying: (amount) => `変更して${amount}を支払う`,
    undo: "現在のプランを続ける",
    undoText: (plan) => `${plan}のまま、予定された変更は行われません。`,
    holds: "この金額は1時間有効です。"
  },
  cancel: {
    title: (plan) => `${plan}を解約しますか`,
    text: (day) => `お支払い済みの${day}まで利用でき、その後は更新されません。それまでは取り消せます。`,
    owed: (amount) => `以前の変更分の${amount}が、その日に請求されます。`,
    pastDue: "遅れているお支払いは、自動では再請求されません。",
    confirm: "解約する",
    keep: "続ける"
  },
  pause: {
    title: (plan) => `${plan}を一時停止しますか`,
    text: "再開するまで請求されません。",
    left: (days) => `お支払い済みの残り${days}は、そのまま残ります。`,
    unpaid: "遅れているお支払いは請求されなくなり、その期間分は残りません。",
    confirm: "一時停止する"
  },
  resume: {
    title: (plan) => `${plan}を再開しますか`,
    text: (day) => `すぐに再開します。次回のお支払いは${day}です。`,
    confirm: "再開する"
  },
  pay: {
    title: (number) => `請求書${number}のお支払い`,
    with: "お支払い方法",
    confirm: (amount) => `${amount}を支払う`,
    other: "別のカードを使う",
    once: "このカードはこの請求書のお支払いにのみ使用され、今後のお支払いには使用されません。"
  },
  done: {
    planChanged: { title: "プランが変更されました", text: (plan) => `現在のプランは${plan}です。` },
    planScheduled: {
      title: "プランの変更を承りました",
      text: (plan, day) => `${day}までは現在のプランのままです。その後${plan}になります。`
    },
    planKept: { title: "プランはそのままです", text: (plan) => `${plan}が続きます。` },
    planPending: {
      title: "お支払いを確認しています",
      text: "確認され次第、プランが変わります。このページは閉じてもかまいません。二重に請求されることはありません。"
    },
    planDeclined: { title: "お支払いができませんでした", text: "プランは変更されておらず、請求もされていません。" },
    cancelled: { title: "解約を承りました", text: (day) => `${day}まで利用できます。その後は更新されません。` },
    uncancelled: { title: "ご契約は続きます", text: (day) => `これまでどおり、${day}に更新されます。` },
    paused: { title: "一時停止しました", text: "再開するまで請求されません。" },
    resumed: { title: "ご契約は続きます", text: (day) => `次回のお支払いは${day}です。` },
    cardSaved: { title: "カードが保存されました", text: "今後のお支払いに使われます。" },
    cardPaid: {
      title: "カードが保存され、お支払いが完了しました",
      text: (amount) => `${amount}をお支払いいただきました。ご契約は続きます。`
    },
    cardDeclined: {
      title: "カードは保存されましたが、お支払いができませんでした",
      text: (amount) => `${amount}が未払いです。別のカードをお使いになるか、カード会社にお問い合わせください。`
    },
    paid: { title: "ありがとうございます。お支払いを受け付けました", text: (amount) => `${amount}をお支払いいただきました。` },
    payDeclined: {
      title: "お支払いができませんでした",
      text: (amount) => `${amount}が未払いで、請求はされていません。別のカードをお使いになるか、カード会社にお問い合わせください。`
    },
    pending: {
      title: "お支払いを確認しています",
      text: "通常は数秒で終わります。このページは閉じてもかまいません。二重に請求されることはありません。"
    }
  },
  changedMeanwhile: {
    title: "内容が変わりました",
    text: "このページを表示した後に、ご契約の内容が変わりました。請求はされていません。もう一度ご確認ください。"
  },
  notAllowed: { title: "ここでは操作できません", text: "何も変更されていません。" },
  notPossible: { title: "今は操作できません", text: "何も変更されず、請求もされていません。ご契約の状況は概要でご確認ください。" },
  noCard: "カード情報を使用できませんでした。もう一度入力してください。",
  expired: {
    title: "このページの有効期限が切れました",
    text: (merchant) => `安全のため、1時間だけ有効です。${merchant}からもう一度開いてください。`
  },
  revoked: { title: "このページは閉じられました", text: (merchant) => `もう使えません。${merchant}からもう一度開いてください。` }
}
