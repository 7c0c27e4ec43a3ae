/** Sound in the format that a caller asks for. */
import type { Engine } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { SpeechAbsent, SpeechRefused } from "./voice.ts"
import { bytesOf, type Wave, writeWave } from "./wave.ts"

const MIB = 1024 ** 2
const FFMPEG = "/usr/bin/ffmpeg"
const LIMITS = { memory: 512 * MIB, seconds: 60, output: 32 * MIB }
const OPUS_SAMPLE_RATE = 48_000

const packageOf = (file: string) => dirname(dirname(dirname(dirname(file))))

const mp3: Engine = {
  module: `${import.meta.dirname}/mp3.ts`,
  shows: [dirname(dirname(import.meta.dirname)), packageOf(fileURLToPath(import.meta.resolve("wasm-media-encoders")))],
  webAssembly: true,
  warm: false,
  limits: LIMITS
}

export type AudioFormat = "wav" | "mp3" | "opus"

const absent = new SpeechAbsent({
  message: "This server makes no opus.",
  remedy: "Ask for wav or mp3. The operator can install bubblewrap and ffmpeg (apt-get install bubblewrap ffmpeg)."
})
const failed = new SpeechRefused({ message: "The sound cannot be written in this format. Ask for wav." })

export const makeEncoder = Effect.gen(function*() {
  const confined = yield* Confined

  const hasOpus = Effect.map(confined.wall, ({ rung }) => rung === "bubblewrap" && existsSync(FFMPEG))

  const opusOf = Effect.fnUntraced(function*(wave: Wave) {
    if (!(yield* hasOpus)) return yield* absent
    const args = ["-v", "error", "-f", "wav", "-i", "pipe:0", "-c:a", "libopus", "-b:a", "32k", "-f", "ogg", "pipe:1"]
    const { exitCode, stdout } = yield* confined.run({ path: FFMPEG, args, stdin: writeWave(wave), shows: [], limits: LIMITS })
    return exitCode === 0 ? stdout : yield* failed
  })

  const mp3Of = ({ sampleRate: sample_rate, samples }: Wave, account: string) =>
    confined.ask(mp3, { account, bytes: bytesOf(samples), options: { sample_rate } }).pipe(
      Effect.catchTag("EngineFailed", () => Effect.fail(failed)),
      Effect.map((answer) => Buffer.from(String(answer), "base64"))
    )

  const encode = Effect.fnUntraced(function*(wave: Wave, format: AudioFormat, account: string) {
    switch (format) {
      case "wav":
        return { bytes: writeWave(wave), sampleRate: wave.sampleRate }
      case "mp3":
        return { bytes: yield* mp3Of(wave, account), sampleRate: wave.sampleRate }
      case "opus":
        return { bytes: yield* opusOf(wave), sampleRate: OPUS_SAMPLE_RATE }
    }
  })

  return { encode, hasOpus }
})
