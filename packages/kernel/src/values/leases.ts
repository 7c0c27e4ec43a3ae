/**
 * How long something that a process took in hand stays its own before another may take it up. Tests that
 * kill processes shorten all leases with `SVC_LEASE_SECONDS`, 1 to 3600; nothing else should: a lease that
 * is shorter than a call to a provider makes work that is under way look abandoned.
 */

const LONGEST_SECONDS = 3_600

/** Reads `SVC_LEASE_SECONDS`. Throws a RangeError for what is not a number of seconds. */
export const leaseSeconds = (usual: number, text: string | undefined = process.env["SVC_LEASE_SECONDS"]): number => {
  if (text === undefined || text === "") return usual
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) {
    throw new RangeError(`SVC_LEASE_SECONDS=${text}: expected whole seconds from 1 to ${LONGEST_SECONDS}`)
  }
  return seconds
}
