/** Values of which nobody knows more than that they came as JSON. */

/** Whether the value is an object with members: neither a list nor null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
