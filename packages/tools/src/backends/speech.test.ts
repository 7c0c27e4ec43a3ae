/** Speech at a real door, out and in: what a call answers, what it costs, and what ffmpeg and a model server's double find in it. */
import { afterAll, assert, describe, layer } from "@effect/vitest"
import { voicePackages } from "@svc/engines/fetched/groups"
import { readWave, writeWave } from "@svc/engines/speech/wave"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { grantCredits, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { send } from "@svc/testkit/contract/service"
import { fetchedFolder, missing } from "@svc/testkit/fetched"
import { Effect, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const Answer = Schema.Struct({ result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Json) }) })
const decode = Schema.decodeEffect(Schema.fromJsonString(Answer))

/** What a call answers, and what it cost in cents. */
const call = Effect.fnUntraced(function*(key: string, name: string, args: object, mode = "standard") {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  const answer = yield* send("POST", "/mcp", { key, headers: { "X-Agent-Mode": mode }, body })
  const { result } = yield* decode(answer.text)
  return { content: result.structuredContent, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})
const speak = (key: string, args: object, mode?: string) => call(key, "svc_text_to_speech", args, mode)
const listen = (key: string, args: object, mode?: string) => call(key, "svc_speech_to_text", args, mode)

const newCaller = Effect.gen(function*() {
  const caller = yield* openCaller("Acme")
  yield* grantCredits(caller, 1_000)
  return caller.key
})

const audioOf = (content: Readonly<Record<string, Schema.Json>>) => Buffer.from(String(content["audio_base64"]), "base64")

const ffmpeg = (input: Uint8Array, ...args: ReadonlyArray<string>) =>
  spawnSync("/usr/bin/ffmpeg", ["-hide_banner", "-i", "-", ...args], { input })

/** In samples. */
const longestSilence = (samples: Int16Array): number => {
  let longest = 0
  let length = 0
  for (const sample of samples) {
    length = Math.abs(sample) < 48 ? length + 1 : 0
    longest = Math.max(longest, length)
  }
  return longest
}

/** The pauses that ffmpeg finds, in seconds. */
const pausesIn = (sound: Uint8Array, least: number) =>
  Array.from(
    String(ffmpeg(sound, "-af", `silencedetect=noise=-50dB:d=${least}`, "-f", "null", "-").stderr).matchAll(/silence_duration: ([\d.]+)/gu),
    ([, seconds]) => Number(seconds)
  )

const programs = ["/usr/bin/espeak-ng", "/usr/bin/ffmpeg", "/usr/bin/pocketsphinx_continuous"]
const isReady = bubblewrapPath() !== undefined && programs.every((path) => existsSync(path))
const PROGRAMS_MISSING = bubblewrapPath() === undefined
  ? BUBBLEWRAP_MISSING
  : "skipped: speech is tested with Debian's programs: apt-get install espeak-ng ffmpeg pocketsphinx pocketsphinx-en-us"

const folder = mkdtempSync(join(tmpdir(), "svc-whisper-"))
const whisper = { WHISPER_CLI: join(folder, "whisper-cli"), WHISPER_MODEL_FILE: join(folder, "ggml-tiny.bin") }
/** Says what it was asked, in the form of whisper.cpp. */
const WHISPER_DOUBLE = `#!/bin/bash
[[ $(head -c 4 /dev/shm/speech.wav) == RIFF && $(cat "$2") == weights ]] || exit 1
[[ \${*: -1} == wait ]] && sleep 14
cat > /tmp/heard.json <<END
{"result": {"language": "de"}, "transcription": [
  {"text": " \${*: -4}", "offsets": {"from": 0, "to": 900}, "tokens": [
    {"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}},
    {"text": " Zah", "offsets": {"from": 10, "to": 400}},
    {"text": "lung", "offsets": {"from": 400, "to": 500}},
    {"text": " da", "offsets": {"from": 600, "to": 900}}
  ]},
  {"text": " [BLANK_AUDIO]", "offsets": {"from": 900, "to": 1000}}
]}
END
`
writeFileSync(whisper.WHISPER_CLI, WHISPER_DOUBLE, { mode: 0o755 })
writeFileSync(whisper.WHISPER_MODEL_FILE, "weights")
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(!isReady)(isReady ? "speech by programs of this machine" : PROGRAMS_MISSING, () => {
  layer(layerWith({ CONFINED: "bubblewrap", STT: "pocketsphinx" }), { excludeTestServices: true, timeout: "60 seconds" })(
    "out and in",
    (it) => {
      it.effect("speaks with the pauses that are asked for, and is paid for it", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const text = "The first sentence is here. The second one follows. The third one ends."
          const { cents, content } = yield* speak(key, { text, sentence_silence: 1.5 })
          const sound = audioOf(content)
          const wave = readWave(sound)
          assert.deepInclude(content, { format: "wav", voice_used: "en-us", sample_rate: 22_050, byte_size: sound.length })
          assert.match(String(content["engine"]), /^espeak-ng \d.*, bubblewrap \d/u)
          assert.closeTo(Number(content["duration_seconds"]), (wave?.samples.length ?? 0) / 22_050, 0.001)
          const pauses = pausesIn(sound, 0.8)
          assert.lengthOf(pauses, 2)
          for (const pause of pauses) assert.closeTo(pause, 1.5, 0.1)
          assert.isEmpty(pausesIn(audioOf((yield* speak(key, { text, sentence_silence: 0.2 }, "lite")).content), 0.8))
          assert.strictEqual(cents, 2)
        }))

      it.effect.each([["mp3", "mp3", 22_050], ["opus", "ogg", 48_000]] as const)(
        "writes %s, as ffmpeg reads it",
        ([format, container, rate]) =>
          Effect.gen(function*() {
            const { content } = yield* speak(yield* newCaller, { text: "Ihre Zahlung ist da.", format, voice: "de+f3" }, "lite")
            const sound = audioOf(content)
            assert.deepInclude(content, { format, voice_used: "de+f3", sample_rate: rate, byte_size: sound.length })
            const { stderr, stdout } = ffmpeg(sound, "-ac", "1", "-ar", "16000", "-f", "s16le", "-")
            assert.include(String(stderr), `Input #0, ${container}`)
            assert.closeTo(stdout.length / 32_000, Number(content["duration_seconds"]), 0.15)
          })
      )

      it.effect("gives an engineer the voice of a brand, by rules that it says", () =>
        Effect.gen(function*() {
          const brand_text = "We sell PostBox, the NGO (pronounced \"en gee oh\") of letters! Try it now! It runs on SQL."
          const args = { text: "PostBox speaks SQL.", brand_text, locale: "en-GB", gender: "female" }
          const { cents, content } = yield* speak(yield* newCaller, args, "engineer")
          assert.strictEqual(content["voice_used"], "en-gb+f3")
          assert.deepInclude(content["voice_profile"], {
            voice: "en-gb+f3",
            rate: 180,
            pitch: 60,
            pronunciations: [
              { written: "NGO", spoken: "en gee oh" },
              { written: "SQL", spoken: "S Q L" },
              { written: "PostBox", spoken: "Post Box" }
            ]
          })
          assert.strictEqual(cents, 10)
        }))

      it.effect("refuses what it cannot speak, and charges nothing", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const refusals = [
            ["invalid_request", { text: "…!?" }],
            ["invalid_request", { text: "Hello.", voice: "alloy" }],
            ["invalid_request", { text: "A! ".repeat(1_600), sentence_silence: 5 }],
            ["invalid_fields", { text: "Hello.", locale: "de" }]
          ] as const
          for (const [code, args] of refusals) {
            const { cents, content } = yield* speak(key, args)
            assert.deepInclude(content["error"], { code }, code)
            assert.strictEqual(cents, 0)
          }
          const { content } = yield* speak(key, { text: "Hello." }, "engineer")
          assert.deepInclude(content["error"], { code: "invalid_request" })
        }))

      it.effect("writes down what it spoke, marked as rough, and tells turns apart by their pauses", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const spoken = yield* speak(key, { text: "Good morning to you all. Please open the window now.", sentence_silence: 2 })
          const audio_base64 = ffmpeg(audioOf(spoken.content), "-f", "mp3", "-").stdout.toString("base64")
          const { cents, content } = yield* listen(key, { audio_base64, word_timestamps: true }, "engineer")
          assert.deepInclude(content, {
            accuracy: "low",
            diarization_method: "pause",
            language_detected: "en",
            model_used: "pocketsphinx en-us",
            untrusted: true
          })
          assert.closeTo(Number(content["duration_seconds"]), Number(spoken.content["duration_seconds"]), 0.2)
          const segments = yield* decodeSegments(content["segments"])
          assert.deepStrictEqual(new Set(segments.map(({ speaker }) => speaker)), new Set(["speaker_1", "speaker_2"]))
          for (const { end, start, words } of segments) {
            assert.isAtLeast(words[0]?.start ?? -1, start)
            assert.isAtMost(words.at(-1)?.end ?? Infinity, end)
          }
          assert.strictEqual(cents, 10)
        }))

      it.effect("refuses what is no sound, or silence, and charges nothing", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const silence = writeWave({ sampleRate: 16_000, samples: new Int16Array(16_000) })
          for (const bytes of [Buffer.from("no sound"), silence]) {
            const { cents, content } = yield* listen(key, { audio_base64: bytes.toString("base64") })
            assert.deepInclude(content["error"], { code: "unreadable" })
            assert.strictEqual(cents, 0)
          }
        }))
    }
  )

  layer(layerWith({ CONFINED: "bubblewrap", ...whisper }), { excludeTestServices: true, timeout: "60 seconds" })(
    "in, by whisper-cli",
    (it) => {
      it.effect("hands over language and prompt, and gives words of tokens", () =>
        Effect.gen(function*() {
          const audio_base64 = writeWave({ sampleRate: 8_000, samples: new Int16Array(8_000) }).toString("base64")
          const { cents, content } = yield* listen(yield* newCaller, {
            audio_base64,
            language: "de-AT",
            initial_prompt: "Acme",
            word_timestamps: true
          })
          assert.deepInclude(content, {
            text: "-l de --prompt Acme",
            duration_seconds: 1,
            language_detected: "de",
            model_used: "whisper-cli, ggml-tiny.bin"
          })
          assert.deepStrictEqual((yield* decodeSegments(content["segments"]))[0]?.words, [
            { start: 0.01, end: 0.5, word: "Zahlung" },
            { start: 0.6, end: 0.9, word: "da" }
          ])
          assert.strictEqual(cents, 3)
        }))

      it.effect("listens to one at a time: the next caller waits ten seconds, is told so, and is not charged", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const audio_base64 = writeWave({ sampleRate: 8_000, samples: new Int16Array(8_000) }).toString("base64")
          const args = { audio_base64, initial_prompt: "wait" }
          const answers = yield* Effect.all([listen(key, args), listen(key, args)], { concurrency: 2 })
          assert.deepStrictEqual(answers.map(({ cents }) => cents).toSorted(), [0, 3])
          const told = answers.find(({ cents }) => cents === 0)?.content
          assert.deepInclude(told, { _not_configured: true, reason: "sandbox_busy" })
        }))
    }
  )
})

const Word = Schema.Struct({ start: Schema.Finite, end: Schema.Finite, word: Schema.String })
const Segment = Schema.Struct({
  start: Schema.Finite,
  end: Schema.Finite,
  text: Schema.String,
  speaker: Schema.optionalKey(Schema.String),
  words: Schema.Array(Word)
})
const decodeSegments = Schema.decodeUnknownEffect(Schema.Array(Segment))

/** Requests that the double of a model server was sent. */
const spokenRequests: Array<unknown> = []
const forms: Array<FormData> = []
const tone = (seconds: number) => Int16Array.from({ length: seconds * 24_000 }, (_, at) => 9_000 * Math.sin(at / 10))

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
    const body = Buffer.concat(chunks)
    if (request.url === "/sound") return void response.end("any sound")
    if (request.url === "/v1/audio/speech") {
      const asked: { readonly voice: string } = JSON.parse(String(body))
      spokenRequests.push(asked)
      if (asked.voice === "nobody") {
        return void response.writeHead(400).end(JSON.stringify({ error: { message: "There is no voice nobody." } }))
      }
      // A server that streams does not know the length.
      const wave = writeWave({ sampleRate: 24_000, samples: tone(1) })
      wave.writeUInt32LE(0xffffffff, 40)
      response.end(wave)
      return
    }
    const type = request.headers["content-type"] ?? ""
    void new Response(body, { headers: { "content-type": type } }).formData().then((form) => {
      forms.push(form)
      const segments = [
        { start: 0, end: 2, text: " My card is 4242 4242" },
        { start: 2, end: 4, text: "4242 4242, thanks." }
      ]
      const words = [{ start: 0, end: 1, word: "My" }]
      response.end(JSON.stringify({ text: "", language: "english", duration: 4, segments, words }))
    })
  })
})
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
afterAll(() => void server.close())

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const models = { TTS_URL: url, TTS_MODEL: "tts-1", STT_URL: url, STT_MODEL: "whisper-1", STT_KEY: "secret" }

layer(layerWith({ CONFINED: "webassembly", TOOLS_EGRESS_ALLOW: "127.0.0.1", ...models }), {
  excludeTestServices: true,
  timeout: "60 seconds"
})(
  "speech by a model server",
  (it) => {
    it.effect("is asked for a sentence at a time, and joined with the pauses asked for; mp3 needs no program of the machine", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const { cents, content } = yield* speak(key, { text: "One. Two.", sentence_silence: 1 })
        assert.deepInclude(content, { voice_used: "alloy", sample_rate: 24_000, engine: "tts-1" })
        assert.closeTo(Number(content["duration_seconds"]), 3, 0.01)
        assert.deepStrictEqual(
          spokenRequests,
          ["One.", "Two."].map((input) => ({ model: "tts-1", input, voice: "alloy", response_format: "wav", speed: 1 }))
        )
        const mp3 = yield* speak(key, { text: "One.", format: "mp3", voice: "nova" }, "lite")
        assert.deepInclude(mp3.content, { voice_used: "nova", format: "mp3" })
        assert.include([0xfb, 0xf3], audioOf(mp3.content)[1])
        const opus = yield* speak(key, { text: "One.", format: "opus" })
        assert.deepInclude(opus.content, { _not_configured: true, reason: "runtime_absent" })
        assert.deepStrictEqual([cents, mp3.cents, opus.cents], [2, 1, 0])
      }))

    it.effect("writes down what it hears, and masks card numbers, also over two segments", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const args = { audio_base64: Buffer.from("any sound").toString("base64"), language: "en", initial_prompt: "Acme" }
        const { cents, content } = yield* listen(key, { ...args, word_timestamps: true })
        assert.deepInclude(content, {
          text: "My card is **** **** **** 4242, thanks.",
          duration_seconds: 4,
          language_detected: "english",
          model_used: "whisper-1"
        })
        assert.deepStrictEqual((yield* decodeSegments(content["segments"]))[0], {
          start: 0,
          end: 2,
          text: "My card is **** ****",
          words: [{ start: 0, end: 1, word: "My" }]
        })
        const fields = ["model", "language", "prompt", "response_format"].map((name) => forms[0]?.get(name))
        assert.deepStrictEqual(fields, ["whisper-1", "en", "Acme", "verbose_json"])
        assert.strictEqual(cents, 3)
      }))

    it.effect("is given sound by URL; what it refuses, in its words, and what cannot be reached cost nothing", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const heard = yield* listen(key, { audio_url: `${new URL(url).origin}/sound` }, "lite")
        const file = forms.at(-1)?.get("file")
        assert.strictEqual(file instanceof File && (yield* Effect.promise(() => file.text())), "any sound")
        const away = yield* listen(key, { audio_url: "http://10.0.0.1/a.wav" })
        assert.deepInclude(away.content["error"], { code: "invalid_url" })
        const refused = yield* speak(key, { text: "One.", voice: "nobody" })
        const message = "The model server refused the request: There is no voice nobody."
        assert.deepInclude(refused.content["error"], { code: "invalid_request", message })
        assert.deepStrictEqual([heard.cents, away.cents, refused.cents], [1, 0, 0])
      }))

    it.effect("refuses card numbers in its texts", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const body = {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "svc_text_to_speech", arguments: { text: "4242 4242 4242 4242" } }
        }
        assert.include((yield* send("POST", "/mcp", { key, body })).text, "looks like a card number")
        const { content } = yield* listen(key, { audio_base64: "YQ==", initial_prompt: "4242424242424242" })
        assert.deepInclude(content["error"], { code: "invalid_request" })
      }))
  }
)

const hasVoice = await fetchedFolder(voicePackages) !== undefined

describe.skipIf(!hasVoice)(hasVoice ? "speech without Debian's programs" : missing(voicePackages), () => {
  layer(layerWith({ CONFINED: "webassembly" }), { excludeTestServices: true, timeout: "60 seconds" })("in English", (it) => {
    it.effect("is spoken a sentence at a time, with the pauses asked for, and is paid for", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const { cents, content } = yield* speak(key, { text: "-t is no option. It is spoken.", sentence_silence: 1 })
        const sound = audioOf(content)
        const wave = readWave(sound)
        assert.deepInclude(content, { format: "wav", voice_used: "slt", sample_rate: 16_000, byte_size: sound.length })
        assert.match(String(content["engine"]), /^flite 2\.3 .*, webassembly, Node\.js \d/u)
        assert.isAbove(wave?.samples.length ?? 0, 2.5 * 16_000)
        assert.isAtLeast(longestSilence(wave?.samples ?? new Int16Array()) / 16_000, 0.95)
        const mp3 = yield* speak(key, { text: "It is spoken.", format: "mp3" }, "lite")
        assert.deepInclude(mp3.content, { format: "mp3", sample_rate: 16_000 })
        assert.deepStrictEqual([cents, mp3.cents], [2, 1])
      }))

    it.effect("follows the voice of a brand: a faster one is done earlier", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const text = "The invoice is paid, and the parcel leaves the house today."
        const calm = yield* speak(key, { text })
        const brand_text = "Try it now! Buy it! It is new! It is fast! Go!"
        const fast = yield* speak(key, { text, brand_text, gender: "male" }, "engineer")
        assert.strictEqual(fast.content["voice_used"], "rms")
        const female = yield* speak(key, { text, brand_text }, "engineer")
        assert.isBelow(Number(female.content["duration_seconds"]), Number(calm.content["duration_seconds"]))
        assert.strictEqual(female.cents, 10)
      }))

    it.effect("refuses what it cannot speak, and charges nothing", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const brand_text = "We write letters."
        const refusals = [[{ text: "Hello.", voice: "alloy" }, "standard"], [
          { text: "Guten Tag.", locale: "de", brand_text },
          "engineer"
        ]] as const
        for (const [args, mode] of refusals) {
          const { cents, content } = yield* speak(key, args, mode)
          assert.deepInclude(content["error"], { code: "invalid_request" })
          assert.strictEqual(cents, 0)
        }
      }))
  })
})

const noPackages = mkdtempSync(join(tmpdir(), "svc-packages-"))
afterAll(() => rmSync(noPackages, { recursive: true, force: true }))

layer(layerWith({ CONFINED: "webassembly" }, { packages: FetchedPackages.layerOf({ time: "never", folder: noPackages }) }), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("speech where nothing may be fetched", (it) => {
  it.effect("is absent, costs nothing, and the answer says what would change that", () =>
    Effect.gen(function*() {
      const { cents, content } = yield* speak(yield* newCaller, { text: "Hello." })
      assert.deepInclude(content, { _not_configured: true, reason: "backend_absent" })
      assert.match(String(content["remediation"]), /FETCH_PACKAGES .*apt-get install bubblewrap espeak-ng/u)
      assert.strictEqual(cents, 0)
    }))
})

layer(layerWith({ CONFINED: "none" }), { excludeTestServices: true, timeout: "60 seconds" })("without any voice or model", (it) => {
  it.effect("nothing is spoken or heard, nothing is charged, and the answer says what would change that", () =>
    Effect.gen(function*() {
      const key = yield* newCaller
      for (const [tool, args] of [["svc_text_to_speech", { text: "Hello." }], ["svc_speech_to_text", { audio_base64: "YQ==" }]] as const) {
        const { cents, content } = yield* call(key, tool, args)
        assert.deepInclude(content, { _not_configured: true, reason: "backend_absent" })
        assert.strictEqual(cents, 0)
      }
    }))
})
