import { assert, describe, it } from "@effect/vitest"
import { unusableSetting } from "@svc/kernel/parts/settings"
import { ConfigProvider, Duration, Effect, Redacted } from "effect"
import { BackendSettings } from "./settings.ts"

const read = (environment: Readonly<Record<string, string>>) =>
  Effect.provide(BackendSettings, ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))

const s3 = { S3_ENDPOINT: "https://s3.example.com/", S3_BUCKET: "files", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "hidden" }

describe("the settings of backends", () => {
  it.effect("have defaults, and take what is empty for unset", () =>
    Effect.gen(function*() {
      for (
        const environment of [{}, { S3_ENDPOINT: "", LLM_URL: "", LLM_MODEL: "", EMBEDDINGS_URL: "", PUBLIC_URL: "", STT: "", STT_URL: "" }]
      ) {
        const { embeddings, inference, listener, mail, objects, speech } = yield* read(environment)
        assert.deepStrictEqual(embeddings, { server: undefined, local: "hash-ngram" })
        assert.deepStrictEqual([inference, mail.smtp, objects.s3], [undefined, undefined, undefined])
        assert.deepStrictEqual([listener, speech], [{ server: undefined, program: undefined }, { server: undefined, voice: "alloy" }])
        assert.deepStrictEqual([mail.perDay, mail.perDayUnpaid], [200, 20])
        assert.deepStrictEqual([objects.maxObjectBytes, objects.maxOwnerBytes], [5 * 1024 ** 3, 1024 ** 3])
      }
    }))

  it.effect("name the GitHub that repositories are read from", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read({})).github, { url: "https://github.com", apiUrl: "https://api.github.com" })
      const { github } = yield* read({ GITHUB_URL: "https://git.example/", GITHUB_API_URL: "https://git.example/api/v3/" })
      assert.deepStrictEqual(github, { url: "https://git.example", apiUrl: "https://git.example/api/v3" })
    }))

  it.effect("name a store and a model", () =>
    Effect.gen(function*() {
      const { inference, objects } = yield* read({
        ...s3,
        LLM_URL: "http://127.0.0.1:11434/v1/",
        LLM_MODEL: "tiny",
        LLM_TIMEOUT_SECONDS: "5"
      })
      assert.deepInclude(objects.s3, { endpoint: "https://s3.example.com", bucket: "files", region: "us-east-1", accessKeyId: "id" })
      assert.strictEqual(objects.s3 && Redacted.value(objects.s3.secretAccessKey), "hidden")
      assert.deepInclude(inference, { url: "http://127.0.0.1:11434/v1", key: undefined, model: "tiny", timeout: Duration.seconds(5) })
    }))

  it.effect("name what speaks and what listens", () =>
    Effect.gen(function*() {
      const url = "http://localhost:1/v1"
      const { listener, speech } = yield* read({
        STT_URL: url,
        STT_MODEL: "whisper-1",
        STT: "pocketsphinx",
        TTS_URL: url,
        TTS_MODEL: "tts-1"
      })
      assert.deepInclude(listener.server, { url, model: "whisper-1", timeout: Duration.seconds(300) })
      assert.deepStrictEqual([listener.program, speech.server?.model], [{ program: "pocketsphinx" }, "tts-1"])
      const whisper = yield* read({ WHISPER_MODEL_FILE: "/srv/ggml.bin" })
      assert.deepStrictEqual(whisper.listener.program, { program: "whisper", path: "/usr/local/bin/whisper-cli", model: "/srv/ggml.bin" })
    }))

  it.effect.each<readonly [Readonly<Record<string, string>>, RegExp]>([
    [{ ...s3, S3_BUCKET: "" }, /^S3_BUCKET is unset, and S3_ENDPOINT is not/u],
    [{ ...s3, S3_ENDPOINT: "s3.example.com" }, /^S3_ENDPOINT .*http/u],
    [{ LLM_MODEL: "tiny" }, /^LLM_URL is unset, and LLM_MODEL is not/u],
    [{ LLM_URL: "localhost:11434", LLM_MODEL: "tiny" }, /^LLM_URL .*http/u],
    [{ GITHUB_URL: "github.com" }, /^GITHUB_URL .*http/u],
    [{ EMBEDDINGS_URL: "http://localhost:1/v1" }, /^EMBEDDINGS_MODEL is unset, and EMBEDDINGS_URL is not/u],
    [{ STT_MODEL: "whisper-1" }, /^STT_URL is unset, and STT_MODEL is not/u],
    [{ EMBEDDINGS: "letters" }, /^EMBEDDINGS .*"hash-ngram" \| "words"/u],
    [{ STT: "siri" }, /^STT .*"whisper" \| "pocketsphinx"/u],
    [{ LLM_TIMEOUT_SECONDS: "86" }, /^LLM_TIMEOUT_SECONDS .*from 1 to 85/u]
  ])("refuse %o in one line", ([environment, words]) =>
    Effect.gen(function*() {
      const message = unusableSetting(yield* Effect.flip(read(environment))) ?? ""
      assert.match(message, words)
      assert.notInclude(message, "hidden")
    }))
})
