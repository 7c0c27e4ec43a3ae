/** What the passthrough pages say. Every language has every message, or it does not compile. */

/** A heading and the sentence below it. */
export interface Message {
  readonly title: string
  readonly text: string
}

type OfOne = (value: string) => string

export interface Messages {
  readonly testMode: string
  readonly gone: Message
  readonly tooMany: Message
  readonly broken: Message
  /** A form that another page sent, or an old one. */
  readonly notOwn: Message
  readonly expired: Message
  readonly check: Message
  readonly optional: OfOne
  readonly choose: string
  readonly cardNumber: string
  readonly bank: {
    readonly title: string
    readonly lead: OfOne
    readonly holder: string
    readonly country: string
    readonly currency: string
    readonly number: string
    readonly routing: string
    readonly send: string
    readonly errors: {
      readonly holder: string
      readonly country: string
      readonly currency: string
      readonly number: string
      readonly otherCountry: string
      readonly routing: string
      readonly routingMissing: string
    }
    /** The end of the number. */
    readonly done: { readonly title: string; readonly text: OfOne }
  }
  readonly business: {
    readonly title: string
    readonly lead: OfOne
    readonly asked: string
    /** Of a form that changes what is known already. */
    readonly keeps: string
    readonly type: string
    readonly organization: string
    readonly individual: string
    readonly name: string
    readonly country: string
    readonly registration: string
    readonly birthDate: string
    readonly address: string
    readonly line1: string
    readonly postalCode: string
    readonly city: string
    readonly addressCountry: string
    readonly send: string
    readonly errors: {
      readonly type: string
      readonly name: string
      readonly country: string
      readonly registration: string
      readonly birthDate: string
      readonly line1: string
      readonly postalCode: string
      readonly city: string
    }
    readonly outcomes: Readonly<Record<"pending" | "verified" | "requires_info" | "failed", Message>>
  }
}
