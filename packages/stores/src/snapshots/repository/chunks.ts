/** Rows with bytes in lists that one statement takes each. */

export const ROWS_AT_ONCE = 200
const BYTES_AT_ONCE = 2 * 1024 * 1024

export const chunksOf = <A extends { readonly deflated: Uint8Array }>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const chunks: Array<Array<A>> = []
  let room = 0
  for (const row of rows) {
    room -= row.deflated.length
    const chunk = chunks.at(-1)
    if (chunk !== undefined && chunk.length < ROWS_AT_ONCE && room >= 0) chunk.push(row)
    else {
      chunks.push([row])
      room = BYTES_AT_ONCE - row.deflated.length
    }
  }
  return chunks
}
