/** Keys in headers. */

/** The token of `Authorization: Bearer …`; undefined for any other scheme. */
export const bearerOf = (authorization: string | undefined): string | undefined => /^bearer +(\S+)$/iu.exec(authorization?.trim() ?? "")?.[1]
