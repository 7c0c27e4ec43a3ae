/** Speech by the espeak-ng of this machine, behind the wall: its rules of pronunciation are C that reads a stranger's text. */
import { Confined } from "@svc/confined/service"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { MOST_SECONDS, SpeechRefused, type SpokenStyle } from "./voice.ts"
import { readWave, type Wave } from "./wave.ts"

const MIB = 1024 ** 2
const ESPEAK = "/usr/bin/espeak-ng"
/** Ten minutes of 22,050 samples a second. */
const LIMITS = { memory: 256 * MIB, seconds: 60, output: 32 * MIB }

/** A line in, a WAV out, after a line with its size. The voice ends without a pause: pauses are the caller's. */
const SPEAK = `
while IFS= read -r sentence; do
  ${ESPEAK} -z -b 1 -v "$1" -s "$2" -p "$3" -w /tmp/sentence.wav -- "$sentence" || exit 1
  stat -c %s /tmp/sentence.wav
  cat /tmp/sentence.wav
done
`

const wavesIn = (output: Buffer): ReadonlyArray<Wave> => {
  const waves: Array<Wave> = []
  for (let at = 0; at < output.length;) {
    const line = output.indexOf("\n", at)
    const end = line + 1 + Number(output.toString("latin1", at, line))
    const wave = readWave(output.subarray(line + 1, end))
    if (wave === undefined) break
    waves.push(wave)
    at = end
  }
  return waves
}

/** The second or the last word of each line below the head: languages and variants have no spaces. */
const columnOf = (table: Buffer, column: number): ReadonlyArray<string> =>
  String(table).trim().split("\n").slice(1).flatMap((line) => line.trim().split(/\s+/u)[column]?.replace(/^!v\//u, "") ?? [])

const variantOf = { female: "+f3", male: "+m3", neutral: "" } as const

export const makeEspeak = Effect.gen(function*() {
  const confined = yield* Confined

  const run = (path: string, args: ReadonlyArray<string>, stdin = "") =>
    confined.run({ path, args, stdin: Buffer.from(stdin), shows: [], limits: LIMITS })

  /** What it can speak, and with which variants. */
  const known = yield* Effect.cachedWithTTL(
    Effect.gen(function*() {
      const wall = yield* confined.wall
      const { stdout: version } = yield* run(ESPEAK, ["--version"])
      const { stdout: languages } = yield* run(ESPEAK, ["--voices"])
      const { stdout: variants } = yield* run(ESPEAK, ["--voices=variant"])
      return {
        name: `espeak-ng ${/(?<!\d)\d+(?:\.\d+)+/u.exec(String(version))?.[0] ?? ""}, ${wall.name}`,
        languages: new Set(columnOf(languages, 1)),
        variants: new Set(columnOf(variants, 4))
      }
    }),
    "1 minute"
  )

  /** The language with its region, else the language alone. */
  const voiceOf = Effect.fnUntraced(function*({ gender = "neutral", locale = "en-us", voice }: SpokenStyle) {
    const { languages, variants } = yield* known
    if (voice !== undefined) {
      const [language = "", variant] = voice.split("+")
      const spelled = language.toLowerCase()
      if (languages.has(spelled) && (variant === undefined || variants.has(variant))) {
        return variant === undefined ? spelled : `${spelled}+${variant}`
      }
      return yield* new SpeechRefused({
        message: "voice: it is none of this server's. They are named by language, such as en-us, de or fr+f3."
      })
    }
    const spelled = locale.toLowerCase().replaceAll("_", "-")
    const language = [spelled, spelled.split("-")[0] ?? ""].find((one) => languages.has(one))
    if (language === undefined) return yield* new SpeechRefused({ message: `locale: this server speaks no ${locale}.` })
    return `${language}${variantOf[gender]}`
  })

  const speak = Effect.fnUntraced(function*(sentences: ReadonlyArray<string>, style: SpokenStyle) {
    const voice = yield* voiceOf(style)
    const words = [voice, String(style.rate), String(style.pitch)]
    const { exitCode, reason, stdout } = yield* run("/bin/bash", ["--norc", "-c", SPEAK, "bash", ...words], `${sentences.join("\n")}\n`)
    const waves = wavesIn(stdout)
    if (reason !== "exit") {
      return yield* new SpeechRefused({ message: `The text takes more than ${MOST_SECONDS} seconds to speak. Send less of it at once.` })
    }
    if (exitCode !== 0 || waves.length !== sentences.length) {
      return yield* new SpeechRefused({ message: "The voice cannot speak this text." })
    }
    return { waves, voice, engine: (yield* known).name }
  })

  const isThere = Effect.match(confined.wall, {
    onFailure: () => false,
    onSuccess: ({ rung }) => rung === "bubblewrap" && existsSync(ESPEAK)
  })

  return { isThere, ready: Effect.asVoid(known), speak }
})
