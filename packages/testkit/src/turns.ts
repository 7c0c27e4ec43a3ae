/**
 * Long random runs take turns: `npm test` plays one part of their numbers a day and all in a week, `npm run prove` all at once. The part is
 * in `TEST_PART`, which vitest.workspace.ts sets and prints, so that `TEST_PART=3 npm test` repeats what another day played.
 */

/** As many as a week has days. */
export const PARTS = 7

/** The numbers to play: this day's part of `usual`, or all of as many as the variable asks for. */
export const numbersOf = (variable: string, usual: number): ReadonlyArray<number> => {
  const asked = process.env[variable]
  const part = process.env["TEST_PART"] ?? "all"
  const numbers = Array.from({ length: Number(asked ?? usual) }, (_, n) => n)
  return asked !== undefined || part === "all" ? numbers : numbers.filter((n) => n % PARTS === Number(part))
}
