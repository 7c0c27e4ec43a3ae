/** Runs in a confined child: LAME, as WebAssembly, makes an MP3 of samples. */
import type { EngineFunction } from "@svc/confined/model"
import { createMp3Encoder } from "wasm-media-encoders"

interface Options {
  /** Samples a second. */
  readonly sample_rate: number
}

/** Kilobits a second: enough for one voice. */
const BITRATE = 64
const LOUDEST = 32_768

export const engine: EngineFunction = async (bytes, options) => {
  const { sample_rate } = options as unknown as Options
  const samples = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const channel = Float32Array.from({ length: samples.length / 2 }, (_, index) => samples.readInt16LE(2 * index) / LOUDEST)
  const encoder = await createMp3Encoder()
  encoder.configure({ sampleRate: sample_rate, channels: 1, bitrate: BITRATE })
  // The encoder reuses what it returns.
  const frames = Buffer.from(encoder.encode([channel]))
  return Buffer.concat([frames, encoder.finalize()]).toString("base64")
}
