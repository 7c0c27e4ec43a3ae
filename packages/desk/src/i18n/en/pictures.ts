import type { PictureTexts } from "../shapes/pictures.ts"

export const pictures: PictureTexts = {
  numbers: "The numbers",
  day: "Day",
  captured: "Captured",
  refunded: "Refunded",
  payments: "Payments",
  pending: "Pending",
  available: "Available",
  reserved: "Reserved",
  currency: "Currency",
  volume: {
    title: (currency) => `Captured and refunded by day, ${currency}`,
    about: (captured, refunded) => `${captured} captured and ${refunded} refunded in all.`
  },
  balances: {
    title: (currency) => `Balances at the end of each day, ${currency}`,
    about: (pending, available, reserved) => `On the last day ${pending} pending, ${available} available and ${reserved} reserved.`,
    before: "Before"
  },
  flow: {
    title: "The money of this payment",
    about: (movements) => movements === 1 ? "One movement between the buckets." : `${movements} movements between the buckets.`,
    outside: "Outside",
    movement: (event, amount) => `${event} ${amount}`,
    now: "Held now of this payment",
    earlier: (count) =>
      count === 1 ? "One earlier movement stands in the table alone." : `${count} earlier movements stand in the table alone.`
  },
  moments: {
    title: "What happens when",
    about: (past, ahead) => `${past} in the past, ${ahead} ahead.`,
    number: "No.",
    what: "What",
    when: "When",
    state: "State",
    now: "Now",
    states: { done: "Done", good: "Succeeded", bad: "Failed", due: "Deadline", planned: "Planned" },
    opened: "Dispute opened",
    evidenceDue: "Evidence is due",
    evidenceSent: "Evidence submitted",
    closed: (status) => `Decided: ${status}`,
    cycleDue: "Charge is due",
    attempt: (number, outcome) => `Attempt ${number}: ${outcome}`,
    nextAttempt: "Next attempt",
    graceEnds: "Grace ends",
    created: "Created",
    sent: "Sent to the bank",
    settles: "Settles",
    ended: (status) => `Ended: ${status}`
  }
}
