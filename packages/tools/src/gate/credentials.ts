/** Keys in headers. */

/** The token of `Authorization: Bearer …`; undefined for any other scheme. */
export const bearerOf = (authorization: string | undefined): string | undefined => /^bearer +(\S+)$/iu.exec(authorization?.trim() ?? "")?.[1]

/** The key that a request shows. */
export const keyIn = (headers: Readonly<Record<string, string | undefined>>): string | undefined => headers["x-svc-key"]?.trim() || bearerOf(headers["authorization"])
