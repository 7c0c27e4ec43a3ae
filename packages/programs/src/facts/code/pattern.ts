/** A pattern that is written in pieces, because a line holds only so much. */
export const pattern = (...pieces: ReadonlyArray<string>): RegExp => new RegExp(pieces.join(""), "iu")
