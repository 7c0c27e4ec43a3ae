/** Words of the frame, of lists, details and forms, and of refusals. */
import type { ActionTexts, DetailTexts, FrameTexts, ListTexts, RefusalTexts } from "../shapes/engine.ts"

export const nav: FrameTexts = {
  label: "Desk",
  menu: "Menu",
  home: "Home",
  signOut: "Sign out",
  skip: "Skip to content",
  signedInAs: (name, role) => `${name}, ${role.toLowerCase()}`,
  fresh: "Something has changed. Show it."
}

export const list: ListTexts = {
  filter: "Apply",
  filters: "Filters",
  clear: "Clear",
  first: "Newest",
  older: "Older",
  newer: "Newer",
  pages: "Pages",
  any: "Any",
  noMatch: "Nothing matches these filters.",
  amountOfCurrency: "Choose a currency as well: the amount is read in it.",
  from: (field) => `${field}, from (UTC)`,
  before: (field) => `${field}, before (UTC)`,
  least: (field) => `${field}, at least`,
  most: (field) => `${field}, at most`
}

export const detail: DetailTexts = {
  facts: "Facts",
  actions: "Actions",
  all: (things) => `All ${things.toLowerCase()}`,
  raw: "As JSON",
  another: "You asked for this. Another person decides on it.",
  rows: {
    number: "Number",
    outcome: "Outcome",
    response_status: "Answered with",
    duration_ms: "Milliseconds",
    error: "Error",
    quantity: "Quantity",
    unit_amount: "Price of one",
    last_four: "Ends in",
    field: "Field"
  }
}

export const action: ActionTexts = {
  keep: "Go back",
  final: "This cannot be taken back.",
  optional: "optional",
  utc: "UTC",
  line: "one a line",
  choose: "Choose",
  each: "All of them",
  unlimited: "All, also those that join later",
  notSent: "Nothing was changed: an amount cannot be read.",
  noAmount: (currency, digits) =>
    digits === 0
      ? `Write whole ${currency}, such as 12.`
      : `Write an amount in ${currency}, such as 12.${"50".padEnd(digits, "0").slice(0, digits)}.`,
  noDecimal: "Write an amount such as 12.50.",
  eachCurrency: "100.00 means 100.00 USD, or 10,000 JPY",
  minorUnits: "Amounts in this message are counted in the smallest unit of the currency, such as cents.",
  done: (done) => `${done}: done.`,
  next: (action) => `Next: ${action}.`,
  most: (currency, most) => `In ${currency}, at most ${most}; empty means all of it`,
  changed: "It was changed meanwhile, here or in another place. Nothing was done. Look at it as it is now, then decide again.",
  impossible: { title: "This cannot be done now", text: "What it was to be done with has changed. Look at it as it is now." },
  shownOnce: { title: "Shown once", text: "Copy it now, and keep it where secrets are kept. It cannot be shown again." },
  copy: "Copy",
  copied: "Copied",
  onward: "I have it"
}

export const refusals: RefusalTexts = {
  unauthorized: { title: "Sign in again", text: "Your session is over. Nothing was changed." },
  forbidden: { title: "Your role does not allow this", text: "Ask an owner of the account." },
  rolesThatMay: (roles) => `These roles may: ${roles}. Ask an owner of the account for one of them.`,
  notFound: { title: "There is nothing here", text: "The address is wrong, or belongs to another account." },
  conflict: { title: "This does not fit what is there", text: "Nothing was changed." },
  limited: { title: "Too many requests at once", text: "Nothing was changed. Try again in a moment." },
  wait: (seconds) => `Nothing was changed. Try again in ${seconds} s.`,
  unavailable: { title: "The service cannot answer now", text: "Try again in a moment. A form that is sent again does nothing twice." },
  broken: { title: "Something is broken", text: "Try again in a moment. A form that is sent again does nothing twice." }
}
