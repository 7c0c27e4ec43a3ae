/** Speech written down by a program of this machine, behind the wall: ffmpeg decodes, whisper-cli or pocketsphinx listens. */
import { SandboxBusy } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Schema, Semaphore } from "effect"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { type HeardSegment, type HeardSpeech, ListenerAbsent, type ListenRequest, SoundRefused } from "./heard.ts"

const MIB = 1024 ** 2
const FFMPEG = "/usr/bin/ffmpeg"
const POCKETSPHINX = "/usr/bin/pocketsphinx_continuous"
const LIMITS = { memory: 4096 * MIB, seconds: 500, output: 16 * MIB }
/** Exit codes of what is asked of ffmpeg. A folder within has 64 MiB: a larger file stops there. */
const UNREADABLE = 65
const TOO_LONG = 66
const FULL = 60 * MIB
/** What both programs were trained with: 16,000 samples a second, of one channel and 16 bits. */
const BYTES_A_SECOND = 32_000
/** Of the WAV that ffmpeg writes without its own name. */
const HEADER = 44
/** A pause between two words that ends a segment, in seconds. */
const PAUSE = 0.5

/** Listening takes minutes: one at a time leaves the other places to other work. */
const PATIENCE = "10 seconds"
const busy = new SandboxBusy({ message: "The speech of another call is being written down." })

export type LocalListener =
  | { readonly program: "whisper"; readonly path: string; readonly model: string }
  | { readonly program: "pocketsphinx" }

type Heard = Pick<HeardSpeech, "language" | "segments">

const Tokens = Schema.Array(
  Schema.Struct({ text: Schema.String, offsets: Schema.Struct({ from: Schema.Finite, to: Schema.Finite }) })
)
const WhisperAnswer = Schema.Struct({
  result: Schema.Struct({ language: Schema.String }),
  transcription: Schema.Array(
    Schema.Struct({
      text: Schema.String,
      offsets: Schema.Struct({ from: Schema.Finite, to: Schema.Finite }),
      tokens: Schema.optionalKey(Tokens)
    })
  )
})
const decodeWhisper = Schema.decodeUnknownEffect(fromJsonText(WhisperAnswer))

/** A token that begins with a space begins a word; those in brackets, such as `[_BEG_]`, are none. */
const wordsOf = (tokens: typeof Tokens.Type): HeardSegment["words"] => {
  const words: Array<HeardSegment["words"][number]> = []
  for (const { offsets: { from, to }, text } of tokens) {
    const last = words.at(-1)
    if (text.startsWith("[_")) continue
    if (last === undefined || text.startsWith(" ")) words.push({ start: from / 1000, end: to / 1000, word: text.trim() })
    else words[words.length - 1] = { ...last, end: to / 1000, word: last.word + text }
  }
  return words
}

/** What whisper.cpp writes for no speech. */
const SILENCE = "[BLANK_AUDIO]"

const ofWhisper = (stdout: string) =>
  Effect.map(decodeWhisper(stdout), ({ result: { language }, transcription }): Heard => ({
    language,
    segments: transcription.filter(({ text }) => text.trim() !== SILENCE).map(({ offsets: { from, to }, text, tokens = [] }) => ({
      start: from / 1000,
      end: to / 1000,
      text: text.trim(),
      words: wordsOf(tokens)
    }))
  }))

/** A line of pocketsphinx: a word, perhaps with the number of its pronunciation, its two times and how sure it is. */
const WORD_LINE = /^(\S+?)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) \d\.\d+$/u

const ofPocketsphinx = (stdout: string): Heard => {
  const segments: Array<HeardSegment> = []
  for (const line of stdout.split("\n")) {
    const [, word = "<", from = "", to = ""] = WORD_LINE.exec(line) ?? []
    if (/^[<[]/u.test(word)) continue
    const spoken = { start: Number(from), end: Number(to), word }
    const last = segments.at(-1)
    if (last === undefined || spoken.start - last.end > PAUSE) {
      segments.push({ start: spoken.start, end: spoken.end, text: word, words: [spoken] })
    } else segments[segments.length - 1] = { ...last, end: spoken.end, text: `${last.text} ${word}`, words: [...last.words, spoken] }
  }
  return { language: "en", segments }
}

/** The sound as both programs take it, in a folder of its own: `/tmp` may hold the sound as it came. Then what the program says. */
const LISTEN = `
speech=/dev/shm/speech.wav output=$1
shift
if ! ${FFMPEG} -v error -i cache:pipe:0 -vn -ac 1 -ar 16000 -c:a pcm_s16le -fflags +bitexact $speech; then
  (( $(stat -c %s $speech) > ${FULL} )) && exit ${TOO_LONG}
  exit ${UNREADABLE}
fi
stat -c %s $speech
"$@" > /tmp/heard && cat $output
`

interface Program {
  /** What has to be on this machine. */
  readonly needs: ReadonlyArray<string>
  readonly remedy: string
  readonly model: string
  readonly output: string
  readonly args: (request: ListenRequest) => ReadonlyArray<string>
  readonly read: (output: string) => Effect.Effect<Heard, Schema.SchemaError>
}

const pocketsphinx: Program = {
  needs: [POCKETSPHINX],
  remedy: "The operator can install them (apt-get install bubblewrap ffmpeg pocketsphinx pocketsphinx-en-us), or set STT_URL.",
  model: "pocketsphinx en-us",
  output: "/tmp/heard",
  args: () => [POCKETSPHINX, "-infile", "/dev/shm/speech.wav", "-time", "yes", "-logfn", "/dev/null"],
  read: (output) => Effect.succeed(ofPocketsphinx(output))
}

const whisper = (path: string, model: string): Program => ({
  needs: [path, model],
  remedy: "The operator can install bubblewrap, ffmpeg and whisper-cli of whisper.cpp, or set STT_URL.",
  model: `whisper-cli, ${basename(model)}`,
  output: "/tmp/heard.json",
  args: ({ language = "auto", prompt, words }) => {
    const format = words ? "-ojf" : "-oj"
    const args = [path, "-m", model, "-f", "/dev/shm/speech.wav", "-of", "/tmp/heard", format, "-l", language.replace(/-.*/u, "")]
    return prompt === undefined ? args : [...args, "--prompt", prompt]
  },
  read: ofWhisper
})

export const makeLocalListener = Effect.fnUntraced(function*(listener: LocalListener) {
  const confined = yield* Confined
  const program = listener.program === "whisper" ? whisper(listener.path, listener.model) : pocketsphinx

  const turns = yield* Semaphore.make(1)
  const turn = Effect.acquireRelease(
    Effect.timeoutOrElse(turns.take(1), { duration: PATIENCE, orElse: () => Effect.fail(busy) }),
    () => turns.release(1),
    { interruptible: true }
  )

  const ready = Effect.gen(function*() {
    const { rung } = yield* confined.wall
    const missing = rung === "bubblewrap" ? [FFMPEG, ...program.needs].find((path) => !existsSync(path)) : "bubblewrap"
    if (missing !== undefined) {
      return yield* new ListenerAbsent({ message: `Nothing writes down speech here: ${missing} is missing.`, remedy: program.remedy })
    }
  })

  const listen = Effect.fnUntraced(function*(request: ListenRequest) {
    if (program === pocketsphinx && !/^en\b/iu.test(request.language ?? "en")) {
      return yield* new SoundRefused({ message: "language: this server writes down English only." })
    }
    yield* turn
    const { exitCode, reason, stdout } = yield* confined.run({
      path: "/bin/bash",
      args: ["--norc", "-c", LISTEN, "bash", program.output, ...program.args(request)],
      stdin: request.bytes,
      shows: program.needs,
      limits: LIMITS
    })
    if (exitCode === UNREADABLE) {
      return yield* new SoundRefused({ message: "The sound cannot be read: it is of no known format, or broken. Send WAV or MP3." })
    }
    if (exitCode === TOO_LONG || reason === "timeout") return yield* new SoundRefused({ message: "The speech is too long. Split it." })
    const line = stdout.indexOf("\n")
    const failed = new SoundRefused({ message: "The program that listens gave no text. Send the speech in shorter pieces." })
    if (exitCode !== 0 || line === -1) return yield* failed
    const { language, segments } = yield* Effect.mapError(program.read(stdout.toString("utf8", line + 1)), () => failed)
    const duration = (Number(stdout.toString("latin1", 0, line)) - HEADER) / BYTES_A_SECOND
    return { duration, language, segments, model: program.model } satisfies HeardSpeech
  }, Effect.scoped)

  return { ready, listen }
})
