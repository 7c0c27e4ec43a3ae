import type { Messages } from "./shape.ts"

export const en: Messages = {
  common: {
    testMode: "Test mode",
    back: (merchant) => `Back to ${merchant}`,
    total: "Total",
    orderSummary: "Order summary",
    showItems: (count) => `Show ${count} items`,
    legal: { label: "Legal", terms: "Terms", privacy: "Privacy", imprint: "Imprint" },
    wait: "One moment…",
    gone: { title: "This page does not exist", text: "The address may be incomplete. Open the link again where you found it." },
    tooMany: { title: "Too many tries", text: "Wait a few minutes and load this page again. Nothing was charged by this try." },
    broken: {
      title: "Something went wrong",
      text: "It is our mistake. Load this page again in a moment: it shows whether you have paid, and nothing is charged twice."
    }
  },
  checkout: {
    title: (merchant) => `Pay ${merchant}`,
    subscribeTo: (merchant) => `Subscribe to ${merchant}`,
    pay: (amount) => `Pay ${amount}`,
    subscribe: "Subscribe",
    startTrial: "Start trial",
    every: { weekly: "per week", monthly: "per month", quarterly: "per quarter", annual: "per year" },
    trial: (days) => `${days} free`,
    thenEvery: (amount, period) => `Then ${amount} ${period}`,
    dueToday: "Due today",
    renews: (amount, day, period) => `${amount} is charged today, ${day}, and then ${amount} ${period} until you cancel.`,
    renewsAfterTrial: (amount, day, period) =>
      `Nothing is charged today. ${amount} is charged on ${day}, and then ${amount} ${period} until you cancel.`,
    email: "Email",
    emailInvalid: "Enter an email address, such as ana@example.com.",
    method: "Payment method",
    card: "Card",
    cardFields: "Card details",
    stablecoin: "USDC",
    stablecoinDetail: "Digital dollars from your wallet",
    stablecoinNext: "After you continue, the page shows the amount and follows the transfer until it is confirmed.",
    bankTransfer: "Bank transfer",
    bankTransferDetail: "From your bank account",
    bankTransferNext: "After you continue, the page follows the transfer until it has arrived.",
    needsScript:
      "To pay by card, switch on JavaScript in your browser and load this page again. Your card details go straight to the payment provider.",
    declined: "The payment did not go through",
    notCharged: "You were not charged.",
    notConfirmed: "The payment was not confirmed.",
    unavailable: "The payment could not be made just now. You were not charged. Please try again.",
    chooseAgain: "The card details could not be used. Please enter them again.",
    processing: {
      title: "Confirming your payment",
      text: "This usually takes a few seconds. You can keep this page open; you will not be charged twice."
    },
    action: { title: "One more step", text: "Your bank asks you to confirm this payment.", go: "Continue to your bank" },
    transfer: {
      title: "Waiting for your transfer",
      text: "We have been told of your transfer and wait for its confirmation.",
      amount: "Amount",
      network: "Paid with",
      status: "Status",
      pending: "Waiting for confirmation"
    },
    review: { title: "The payment is being checked", text: "Somebody looks at it before it goes through. You can close this page." },
    paid: { title: "Thank you, your payment was received", text: (amount, merchant) => `You paid ${amount} to ${merchant}.` },
    started: { title: "Your subscription has started", text: (merchant) => `${merchant} has your order.` },
    startedTrial: {
      title: "Your trial has started",
      text: (merchant, amount, day) => `Nothing was charged. ${merchant} charges ${amount} on ${day}, unless you cancel before.`
    },
    returnTo: (merchant) => `Return to ${merchant}`,
    returning: (merchant) => `Taking you back to ${merchant}…`,
    expired: { title: "This checkout has expired", text: (merchant) => `You were not charged. Ask ${merchant} for a new link.` }
  },
  fields: {
    number: "Card number",
    expiry: "Expiry date",
    expiryHint: "MM / YY",
    cvc: "Security code",
    numberMissing: "Enter the card number.",
    numberUnknown: "Only the test numbers below are accepted here. Never enter a real card.",
    expiryInvalid: "Enter a month and year that are not over.",
    cvcInvalid: "Enter the 3 or 4 digits on the card.",
    testCards: "Test cards",
    testCardsHint: "No real card works here. Choose one to fill in the fields.",
    outcomes: {
      approve: "Approved",
      declined: "Declined",
      require_action: "Asks to be confirmed",
      block: "Stopped by the fraud rule",
      elsewhere: "Approved by the second provider",
      dispute: "Approved, disputed later"
    }
  },
  action: {
    title: "Confirm your payment",
    bank: "Test bank",
    question: (amount, merchant) => `Do you want to pay ${amount} to ${merchant}?`,
    confirm: "Confirm payment",
    refuse: "Refuse",
    done: { title: "Confirmed", text: "The payment was confirmed. You can close this page." },
    refused: { title: "Refused", text: "The payment was not confirmed, and nothing was charged. You can close this page." },
    over: { title: "Nothing to confirm", text: "This payment is not waiting for you. It was confirmed already, or its time is over." }
  },
  declines: {
    generic_decline: "The card was declined. Try another card, or ask your bank why.",
    insufficient_funds: "There is not enough money on the card. Try another card.",
    lost_card: "The card was declined. Please use another card.",
    stolen_card: "The card was declined. Please use another card.",
    expired_card: "The card has expired. Use another card.",
    incorrect_cvc: "The security code is not right. Check it and try again.",
    processing_error: "The bank could not process the payment. Try again in a moment.",
    do_not_honor: "The bank declined the payment without saying why. Try another card, or ask your bank.",
    card_velocity_exceeded: "The card has reached its limit for now. Try another card, or this one tomorrow.",
    fraudulent: "The card was declined. Please use another card.",
    authentication_required: "The payment was not confirmed with your bank. Try again and confirm it.",
    currency_not_supported: "The card cannot pay in this currency. Use another card.",
    card_not_supported: "The card is not accepted for this kind of payment. Use another card."
  }
}
