import type { PortalMessages } from "./shape.ts"

export const en: PortalMessages = {
  title: (merchant) => `Your account with ${merchant}`,
  nav: { label: "Account", overview: "Overview", invoices: "Invoices", methods: "Payment methods" },
  backToOverview: "Back to the overview",
  noSubscriptions: { title: "No subscription yet", text: "When you subscribe, you find everything about it here." },
  details: {
    title: "Your details",
    name: "Name",
    nameInvalid: "Enter a name in one line, of at most 200 letters.",
    cardNumber: "Do not enter a card number here.",
    save: "Save"
  },
  status: { trialing: "Trial", active: "Active", past_due: "Payment overdue", paused: "Paused", canceled: "Ended" },
  facts: {
    next: "Next payment",
    nextOn: (amount, day) => `${amount} on ${day}`,
    method: "Paid with",
    trialUntil: (day) => `Free until ${day}`,
    endsOn: (day) => `Runs until ${day} and is not renewed`,
    endedOn: (day) => `Ended on ${day}`,
    paused: "Nothing is charged while it is paused",
    changesTo: (plan, day) => `Changes to ${plan} on ${day}`,
    changing: (plan) => `Changes to ${plan} as soon as the payment is confirmed`,
    credit: (amount) => `You have ${amount} of credit for it`,
    noMethod: "No payment method yet"
  },
  pastDue: {
    title: "Your last payment did not go through",
    text: (amount) => `${amount} is still to be paid.`,
    retry: (day) => `We try again on ${day}.`,
    stopped: "It is not tried again by itself.",
    update: "Update your card to pay at once and keep your subscription.",
    ask: (merchant) => `Please contact ${merchant} to keep your subscription.`
  },
  actions: {
    changeDetails: "Change details",
    changePlan: "Change plan",
    cancel: "Cancel subscription",
    uncancel: "Keep subscription",
    pause: "Pause",
    resume: "Resume",
    updateCard: "Update card"
  },
  invoices: {
    title: "Invoices",
    none: "There are no invoices yet.",
    status: { draft: "Draft", open: "To be paid", paid: "Paid", void: "Void", uncollectible: "Not paid" },
    pdf: (number) => `Invoice ${number} as PDF`,
    pdfShort: "PDF",
    view: (number) => `View invoice ${number}`,
    viewShort: "View",
    pay: (amount) => `Pay ${amount}`,
    older: "Older invoices",
    newer: "Newer invoices"
  },
  methods: {
    title: "Payment methods",
    none: "No payment method is stored.",
    ending: (brand, digits) => `${brand} ending in ${digits}`,
    otherKind: { card: "Card", bank_account: "Bank account", usdc_wallet: "USDC wallet" },
    expires: (date) => `Expires ${date}`,
    expired: (date) => `Expired ${date}`,
    defaultMethod: "Used for payments",
    add: "Use another card",
    addText: "Future payments are made with this card.",
    addOwing: (amount) => `${amount} is overdue and is charged to this card at once.`,
    save: "Save card",
    savePaying: (amount) => `Save card and pay ${amount}`
  },
  plan: {
    title: "Change plan",
    choose: "Choose your plan",
    current: "Your plan",
    none: "There is no other plan to change to.",
    next: "Continue",
    unchosen: "Choose a plan first.",
    previewTitle: (plan) => `Change to ${plan}`,
    from: "Now",
    to: "New",
    starts: "Starts",
    atOnce: "At once",
    unused: (plan) => `Unused time on ${plan}`,
    rest: (plan) => `Remaining time on ${plan}`,
    period: (plan) => plan,
    earlier: "From earlier changes",
    credit: "Your credit",
    carried: "Kept as credit for your next payment",
    span: (from, to) => `${from} to ${to}`,
    lines: "How the amount is made up",
    dueNow: "Due now",
    nothingNow: "Nothing is charged now.",
    onNext: (day) => `Added to your payment on ${day}`,
    lessNext: (day) => `Taken off your payment on ${day}`,
    thenFrom: (price, day) => `${price} from ${day}`,
    confirm: "Confirm change",
    confirmPaying: (amount) => `Change and pay ${amount}`,
    undo: "Keep my plan",
    undoText: (plan) => `You stay on ${plan}, and the planned change does not happen.`,
    holds: "This amount holds for one hour."
  },
  cancel: {
    title: (plan) => `Cancel ${plan}?`,
    text: (day) => `It runs until ${day}, as you have paid for it, and is not renewed. Until then you can change your mind.`,
    owed: (amount) => `${amount} from earlier changes is charged on that day.`,
    pastDue: "The payment that is overdue is not tried again by itself.",
    confirm: "Cancel subscription",
    keep: "Keep it"
  },
  pause: {
    title: (plan) => `Pause ${plan}?`,
    text: "Nothing is charged until you resume it.",
    left: (days) => `You keep the ${days} that you have paid for.`,
    unpaid: "The payment that is overdue is no longer asked for, and the time it was for is not kept.",
    confirm: "Pause subscription"
  },
  resume: {
    title: (plan) => `Resume ${plan}?`,
    text: (day) => `It goes on at once. The next payment is due on ${day}.`,
    confirm: "Resume subscription"
  },
  pay: {
    title: (number) => `Pay invoice ${number}`,
    with: "Paid with",
    confirm: (amount) => `Pay ${amount}`,
    other: "Use another card",
    once: "This card pays this invoice and is not used for later ones."
  },
  done: {
    planChanged: { title: "Your plan was changed", text: (plan) => `You are on ${plan} now.` },
    planScheduled: {
      title: "Your plan will change",
      text: (plan, day) => `You stay on your plan until ${day}. From then on it is ${plan}.`
    },
    planKept: { title: "Your plan stays as it is", text: (plan) => `You stay on ${plan}.` },
    planPending: {
      title: "Your payment is being confirmed",
      text: "Your plan changes as soon as it is. You can close this page; nothing is charged twice."
    },
    planDeclined: { title: "The payment did not go through", text: "Your plan was not changed, and you were not charged." },
    cancelled: { title: "Your subscription is cancelled", text: (day) => `It runs until ${day}. Nothing is renewed after that.` },
    uncancelled: { title: "Your subscription goes on", text: (day) => `It is renewed on ${day}, as before.` },
    paused: { title: "Your subscription is paused", text: "Nothing is charged until you resume it." },
    resumed: { title: "Your subscription goes on", text: (day) => `The next payment is due on ${day}.` },
    cardSaved: { title: "Your card was saved", text: "Future payments are made with it." },
    cardPaid: {
      title: "Your card was saved and the payment went through",
      text: (amount) => `${amount} was paid. Your subscription goes on.`
    },
    cardDeclined: {
      title: "Your card was saved, but the payment did not go through",
      text: (amount) => `${amount} is still to be paid. Use another card, or ask your bank why.`
    },
    paid: { title: "Thank you, your payment was received", text: (amount) => `You paid ${amount}.` },
    payDeclined: {
      title: "The payment did not go through",
      text: (amount) => `${amount} is still to be paid, and you were not charged. Use another card, or ask your bank why.`
    },
    pending: {
      title: "Your payment is being confirmed",
      text: "This usually takes a few seconds. You can close this page; nothing is charged twice."
    }
  },
  changedMeanwhile: {
    title: "Something has changed",
    text: "Your subscription changed since this page was shown. Nothing was charged. Please look again."
  },
  notAllowed: { title: "This cannot be done here", text: "Nothing was changed." },
  notPossible: {
    title: "This is not possible now",
    text: "Nothing was changed and nothing was charged. Go back to the overview to see how your subscription stands."
  },
  noCard: "The card details could not be used. Please enter them again.",
  expired: { title: "This page has expired", text: (merchant) => `For your safety it works for one hour. Open it again from ${merchant}.` },
  revoked: { title: "This page was closed", text: (merchant) => `It works no more. Open it again from ${merchant}.` }
}
