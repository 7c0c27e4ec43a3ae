/** The reader of facts as it would be with an error: a file that says so ends the process, holds it, or is left out. */
import type { EngineFunction } from "@svc/confined/model"
import { pack, type Piece, unpack } from "@svc/programs/confined/pack"
import { engine as read } from "@svc/programs/confined/read"
import { inflateRawSync } from "node:zlib"

export const engine: EngineFunction = async (bytes) => {
  const textOf = ({ bytes: deflated }: Piece) => inflateRawSync(deflated).toString()
  for (const piece of unpack(bytes)) {
    const text = textOf(piece)
    if (text.includes("ABORT")) process.abort()
    if (text.includes("EXIT")) process.exit(0)
    if (text.includes("HOLD")) { for (;;); }
  }
  const { files, ...rest } = await read(pack(unpack(bytes).filter((piece) => !textOf(piece).includes("LIE"))))
  return { ...rest, files: [...files, { path: "../../etc/passwd", facts: files[0]?.facts ?? "" }] }
}
