/** Something that the person at the keyboard has to know: what did not work, why, and what to do next, on one line. */
export class Trouble extends Error {
  constructor(what, why, next, exitCode = 1) {
    super(`${what}: ${why.replaceAll(/\s+/g, " ").trim()}. ${next}.`)
    this.exitCode = exitCode
  }
}
