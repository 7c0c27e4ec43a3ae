/** What stands in the address of a call's state, sealed: who has the address may read it, and nobody guesses it. */

const BEGINS = "state of"

export const statusText = (account: string, call: string): string => `${BEGINS} ${account} ${call}`

/** The account whose call the token opens; undefined for a text that was sealed for something else, or for another call. */
export const accountIn = (text: string | undefined, call: string): string | undefined => {
  const account = text?.split(" ")[2]
  return account !== undefined && text === statusText(account, call) ? account : undefined
}
