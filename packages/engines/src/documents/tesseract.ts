/** Runs in a confined child: Tesseract, as WebAssembly, reads the English text of a picture. */
import type { EngineFunction } from "@svc/confined/model"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { loadEmscripten } from "../fetched/emscripten.ts"

interface Tesseract {
  readonly Init: (folder: string, language: string, mode: number) => number
  readonly SetImageFile: (orientation: number, angle: number) => number
  readonly Recognize: (monitor: null) => number
  readonly GetUTF8Text: () => string
  readonly Clear: () => void
}

interface Program {
  readonly FS: { readonly writeFile: (path: string, bytes: Uint8Array) => void }
  readonly TessBaseAPI: new() => Tesseract
}

/** `OEM_LSTM_ONLY` of Tesseract. */
const LSTM = 1
const UPRIGHT = 1
/** Where `SetImageFile` looks. */
const PICTURE = "/input"

const load = async (packages: string) => {
  const program = await loadEmscripten<Program>(`${packages}/node_modules/tesseract.js-core/tesseract-core-simd-lstm.js`, {
    // Tesseract warns of small letters and unknown resolutions.
    printErr: () => {}
  })
  const english = readFileSync(`${packages}/node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz`)
  program.FS.writeFile("/eng.traineddata", gunzipSync(english))
  const tesseract = new program.TessBaseAPI()
  if (tesseract.Init("/", "eng", LSTM) !== 0) throw new Error("Tesseract does not read its language.")
  return { files: program.FS, tesseract }
}

let loaded: ReturnType<typeof load> | undefined

export const engine: EngineFunction = async (bytes, options) => {
  loaded ??= load((options as { readonly packages: string }).packages)
  const { files, tesseract } = await loaded
  files.writeFile(PICTURE, bytes)
  if (tesseract.SetImageFile(UPRIGHT, 0) !== 0 || tesseract.Recognize(null) !== 0) throw new Error("This is no picture.")
  const text = tesseract.GetUTF8Text()
  tesseract.Clear()
  return text
}
