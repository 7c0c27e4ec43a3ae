/** What the pages say on which people come in, go out and prove who they are. */

interface Message {
  readonly title: string
  readonly text: string
}

export interface SignInTexts {
  readonly title: string
  readonly text: string
  readonly passkey: string
  readonly provider: string
  /** For a browser without scripts. */
  readonly noScript: string
  /** For a browser that makes no passkeys. */
  readonly unsupported: string
  /** What the page says where the browser gave no passkey. */
  readonly failed: string
  readonly goOn: string
  readonly goingOn: Message
  readonly over: Message
  readonly join: {
    readonly title: string
    readonly text: (role: string, account: string | null) => string
    readonly name: string
    readonly passkey: string
    readonly why: string
    readonly over: Message
    /** For somebody who is signed in already. */
    readonly as: (name: string) => string
  }
  readonly invite: {
    readonly title: string
    readonly text: string
    readonly role: string
    readonly email: string
    readonly go: string
    readonly done: string
    readonly once: string
    readonly mailed: string
    readonly link: string
  }
  readonly confirm: {
    readonly title: string
    readonly text: string
    readonly passkey: string
    readonly done: string
    readonly again: string
  }
  /** Why somebody is not let in. */
  readonly refusals: {
    readonly title: string
    readonly unavailable: string
    readonly stale: string
    readonly unknown: string
    readonly invalid: string
    readonly taken: string
    readonly uninvited: string
    readonly nowhere: string
    readonly tooMany: string
    readonly badName: string
    readonly known: string
  }
  readonly you: {
    readonly title: string
    readonly link: string
    readonly passkeys: string
    readonly passkeyName: string
    readonly defaultName: string
    readonly addPasskey: string
    readonly rename: string
    readonly remove: string
    readonly lastWayIn: string
    readonly made: string
    readonly used: string
    readonly provider: string
    readonly linked: string
    readonly linkProvider: string
    readonly sessions: string
    readonly thisSession: string
    readonly seen: string
    readonly revoke: string
    readonly accounts: string
    readonly here: string
    readonly moveTo: string
    readonly language: string
    readonly chooseLanguage: string
  }
}
