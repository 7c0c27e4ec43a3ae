/** How large a body may be. What needs more, such as an upload, is streamed, and has a limit of its own. */

/** Kibibytes of JSON text. A payment with all its metadata has about half of that. */
export const BODY_KIB = 64
