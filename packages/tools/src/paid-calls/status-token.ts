/** What stands in the address of a call's state, sealed: who has the address may read it, and nobody guesses it. */

const BEGINS = "state of"

export const statusText = (account: string, call: string): string => `${BEGINS} ${account} ${call}`

/** Whose call it opens; undefined for what was sealed for something else, or for another call. */
export const accountIn = (text: string | undefined, call: string): string | undefined => {
  const account = text?.split(" ")[2]
  return account !== undefined && text === statusText(account, call) ? account : undefined
}
