/**
 * Settings with a default, which a layer may set for all that runs in it. A request finds them in its context, where it finds none of
 * the services: handlers have those from the time they were built (docs/decisions/0056).
 */
import { Context } from "effect"

const keys = new Set<string>()

/** `Context.Reference`, whose value requests see. */
export const Reference: typeof Context.Reference = (key, options) => {
  keys.add(key)
  return Context.Reference(key, options)
}

/** Whether a key of a context is that of a reference. */
export const isReference = (key: string): boolean => keys.has(key)
