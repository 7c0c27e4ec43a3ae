import type { Messages } from "./shape.ts"

export const en: Messages = {
  testMode: "Test mode",
  gone: { title: "This page does not exist", text: "The address may be incomplete. Open the link again where you found it." },
  tooMany: { title: "Too many tries", text: "Wait a few minutes and load this page again. What you sent last was not kept." },
  broken: {
    title: "Something went wrong",
    text: "It is our mistake. Load this page again in a moment: it shows whether your details arrived."
  },
  notOwn: { title: "This form is out of date", text: "Nothing was kept. Open the link again and fill in the form there." },
  expired: {
    title: "This page has expired",
    text: "It worked for one hour, and nothing was kept. Ask whoever sent you the link for another one."
  },
  check: { title: "Please check your details", text: "Nothing was kept yet. The fields below say what to correct." },
  optional: (label) => `${label} (optional)`,
  choose: "Choose…",
  cardNumber: "This looks like a card number. Do not type one here.",
  bank: {
    title: "Bank account for payouts",
    lead: (account) =>
      `Payouts of ${account} go to this account. The number is kept encrypted, and only its last four characters are shown from then on.`,
    holder: "Account holder",
    country: "Country of the bank",
    currency: "Currency",
    number: "IBAN or account number",
    routing: "Routing number, sort code or BIC (only without an IBAN)",
    send: "Save bank account",
    errors: {
      holder: "Enter the name of the account holder, as the bank knows it.",
      country: "Choose the country of the bank.",
      currency: "Choose the currency of the account.",
      number: "Enter the IBAN or the account number, as it stands on a bank statement.",
      otherCountry: "This IBAN belongs to another country than the one above.",
      routing: "Enter 6 to 12 letters, digits and hyphens.",
      routingMissing: "An account number without an IBAN needs the code of its bank."
    },
    done: {
      title: "Bank account saved",
      text: (end) => `The account ending in ${end} was added. It is verified before money goes there. You can close this page.`
    }
  },
  business: {
    title: "About your business",
    lead: (account) => `Banks have to know who is behind ${account} before money is paid out.`,
    asked: "This is still needed",
    keeps: "What you leave empty stays as it is.",
    type: "Who runs it",
    organization: "A company or other organization",
    individual: "One person",
    name: "Full legal name",
    country: "Country of registration or residence",
    registration: "Number in the register of companies",
    birthDate: "Date of birth",
    address: "Address",
    line1: "Street and number",
    postalCode: "Postal code",
    city: "City",
    addressCountry: "Country of the address",
    send: "Send for review",
    errors: {
      type: "Choose who runs the business.",
      name: "Enter the name, as it stands in the register or in a passport.",
      country: "Choose a country.",
      registration: "Enter up to 40 letters, digits, spaces, dots, slashes and hyphens.",
      birthDate: "Enter a date such as 1990-12-31.",
      line1: "Enter the street and the number.",
      postalCode: "Enter up to 20 characters.",
      city: "Enter the city."
    },
    outcomes: {
      pending: { title: "Under review", text: "Your details have arrived and are being reviewed. You can close this page." },
      verified: { title: "Your business is verified", text: "Nothing else is needed. You can close this page." },
      requires_info: { title: "More is needed", text: "The review asks for more. Ask whoever sent you the link for another one." },
      failed: {
        title: "The review failed",
        text: "Your business could not be verified. Ask whoever sent you the link for another one, to correct your details."
      }
    }
  }
}
