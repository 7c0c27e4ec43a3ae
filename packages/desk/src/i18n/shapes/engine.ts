/** Texts of the frame, of lists, details and forms, and of refusals. */

export interface Message {
  readonly title: string
  readonly text: string
}

export interface FrameTexts {
  readonly label: string
  readonly menu: string
  readonly home: string
  readonly signOut: string
  readonly skip: string
  /** Of the line that says who is signed in. */
  readonly signedInAs: (name: string, role: string) => string
  /** Said when something has happened to what the page shows. */
  readonly fresh: string
}

export interface ListTexts {
  readonly filter: string
  readonly filters: string
  readonly clear: string
  readonly first: string
  readonly older: string
  readonly newer: string
  readonly pages: string
  readonly any: string
  /** Where filters leave nothing. */
  readonly noMatch: string
  /** Where an amount is filtered by, and no currency. */
  readonly amountOfCurrency: string
  /** Filters by time: from this moment on, and before it. */
  readonly from: (field: string) => string
  readonly before: (field: string) => string
  readonly least: (field: string) => string
  readonly most: (field: string) => string
}

type RowWord =
  | "number"
  | "outcome"
  | "response_status"
  | "duration_ms"
  | "error"
  | "quantity"
  | "unit_amount"
  | "last_four"
  | "field"

export interface DetailTexts {
  readonly facts: string
  readonly actions: string
  readonly all: (things: string) => string
  readonly raw: string
  /** To the person who asked for what somebody else decides on. */
  readonly another: string
  /** Columns of tables on the page of a resource, where they are not called as its own fields are. */
  readonly rows: Readonly<Record<RowWord, string>>
}

export interface ActionTexts {
  readonly keep: string
  readonly final: string
  readonly optional: string
  readonly utc: string
  readonly line: string
  readonly choose: string
  /** Of many, the choice that stands for each of them; and that which limits nothing. */
  readonly each: string
  readonly unlimited: string
  readonly notSent: string
  /** A currency, and how many digits it has after the point. */
  readonly noAmount: (currency: string, digits: number) => string
  /** An amount without a currency that cannot be read, and what such amounts mean. */
  readonly noDecimal: string
  readonly eachCurrency: string
  readonly minorUnits: string
  readonly done: (action: string) => string
  /** What comes after what was done. */
  readonly next: (action: string) => string
  /** Beside an amount that may be left out: its currency, how much there is, and what empty means. */
  readonly most: (currency: string, most: string) => string
  readonly changed: string
  readonly impossible: Message
  /** The answer to an act, of which nothing is kept for later. */
  readonly shownOnce: Message
  readonly copy: string
  readonly copied: string
  readonly onward: string
}

export interface RefusalTexts {
  readonly unauthorized: Message
  readonly forbidden: Message
  /** The roles that may do what somebody may not. */
  readonly rolesThatMay: (roles: string) => string
  readonly notFound: Message
  readonly conflict: Message
  readonly limited: Message
  readonly wait: (seconds: number) => string
  readonly unavailable: Message
  readonly broken: Message
}
