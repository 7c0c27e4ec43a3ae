/** What a child of Node.js runs beside the engine: answers each request with what the engine makes of it. */
import { Console } from "node:console"
import { answerFrame, requestReader } from "./frames.ts"
import type { EngineFunction } from "./model.ts"

/** Bytes of a request. The service never sends more; a child that is sent more has misread its pipe. */
const MOST = 512 * 1024 * 1024

// Standard output carries the answers, so what libraries print goes elsewhere.
globalThis.console = new Console(process.stderr)

const answerOf = async (engine: EngineFunction, bytes: Uint8Array, options: Parameters<EngineFunction>[1]): Promise<string> => {
  try {
    return JSON.stringify({ result: await engine(bytes, options) })
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
}

export const serve = async (engine: EngineFunction): Promise<void> => {
  const read = requestReader(MOST)
  for await (const chunk of process.stdin) {
    for (const { bytes, options } of read(chunk) ?? []) process.stdout.write(answerFrame(await answerOf(engine, bytes, options)))
  }
}
