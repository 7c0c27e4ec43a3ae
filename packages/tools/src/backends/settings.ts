/** What the operator may set of the tools' backends, by environment variable. */
import type { ModelServer } from "@svc/engines/openai/client"
import type { LocalListener } from "@svc/engines/transcription/programs"
import { wholeNumber } from "@svc/kernel/parts/settings"
import { EmailSettings } from "@svc/platform/email/settings"
import { Config, Duration, Redacted, Schema } from "effect"

const MIB = 1024 ** 2

const withoutSlash = (url: string): string => url.replace(/\/$/u, "")

const Text = Schema.optionalKey(Schema.String)
const Address = Schema.optionalKey(
  Schema.String.check(Schema.makeFilter((text) =>
    text === "" || /^https?:$/u.test(URL.parse(text)?.protocol ?? "")
      ? undefined
      : "must be an address that begins with http:// or https://. Correct it, or leave it unset."
  ))
)
const Secret = Schema.optionalKey(Schema.RedactedFromValue(Schema.String))

const isSet = (value: string | Redacted.Redacted<string> | undefined): boolean =>
  value !== undefined && (Redacted.isRedacted(value) ? Redacted.value(value) : value) !== ""

/** Refuses a group of settings of which some are set, and one that those need is not. */
const completeWith = (prefix: string, needed: ReadonlyArray<string>) =>
  Schema.makeFilter((values: Readonly<Record<string, string | Redacted.Redacted<string> | undefined>>) => {
    const set = Object.keys(values).find((name) => isSet(values[name]))
    const missing = needed.find((name) => !isSet(values[name]))
    return set === undefined || missing === undefined
      ? undefined
      : { path: [missing], issue: `is unset, and ${prefix}_${set} is not. Set what belongs together, or none of it.` }
  })

const S3Group = Schema.Struct({ ENDPOINT: Address, BUCKET: Text, REGION: Text, ACCESS_KEY_ID: Text, SECRET_ACCESS_KEY: Secret })
  .check(completeWith("S3", ["ENDPOINT", "BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"]))

const noS3: typeof S3Group.Type = {}

/** A store of the operator's own, instead of files below `DATA_DIR`. */
const S3Settings = Config.schema(S3Group, "S3").pipe(
  Config.withDefault(noS3),
  Config.map(({ ACCESS_KEY_ID: accessKeyId, BUCKET: bucket, ENDPOINT: endpoint, REGION: region, SECRET_ACCESS_KEY: secretAccessKey }) =>
    !isSet(endpoint) || endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { endpoint: withoutSlash(endpoint), bucket, region: region ?? "us-east-1", accessKeyId, secretAccessKey }
  )
)

export const ObjectSettings = Config.all({
  /** The folder of everything that this machine keeps. */
  dataDir: Config.withDefault(Config.String("DATA_DIR"), ".data"),
  s3: S3Settings,
  /** Bytes of one object. */
  maxObjectBytes: Config.map(wholeNumber("OBJECTS_MAX_MIB", { minimum: 1, maximum: 5120, usual: 5120 }), (mib) => mib * MIB),
  /** Bytes of all objects of an account. */
  maxOwnerBytes: Config.map(wholeNumber("OBJECTS_ACCOUNT_MIB", { minimum: 1, maximum: 1_000_000, usual: 1024 }), (mib) => mib * MIB)
})

const GithubGroup = Schema.Struct({ URL: Address, API_URL: Address })
const noGithub: typeof GithubGroup.Type = {}

/** Where repositories are read: GitHub, or a GitHub Enterprise Server of the operator's. */
export const GithubSettings = Config.schema(GithubGroup, "GITHUB").pipe(
  Config.withDefault(noGithub),
  Config.map(({ API_URL = "", URL = "" }) => ({
    url: URL === "" ? "https://github.com" : withoutSlash(URL),
    apiUrl: API_URL === "" ? "https://api.github.com" : withoutSlash(API_URL)
  }))
)

const recipients = { minimum: 0, maximum: 1_000_000 }

export const MailSettings = Config.all({
  /** Recipients that an account may write to in a day of UTC. */
  perDay: wholeNumber("EMAIL_RECIPIENTS_PER_DAY", { ...recipients, usual: 200 }),
  /** The same while nobody has paid for the account. */
  perDayUnpaid: wholeNumber("EMAIL_RECIPIENTS_PER_DAY_UNPAID", { ...recipients, usual: 20 }),
  smtp: EmailSettings,
  /** Where it is set, a mail server has to be. */
  publicUrl: Config.withDefault(Config.String("PUBLIC_URL"), undefined)
})

const ServerGroup = Schema.Struct({ URL: Address, KEY: Secret, MODEL: Text })
const noServer: typeof ServerGroup.Type = {}

/** A server that speaks the API of OpenAI: `<prefix>_URL`, `_MODEL`, and `_KEY` where it asks for one. */
const modelServer = (prefix: string, seconds: number, maximum = 85) =>
  Config.all({
    group: Config.withDefault(Config.schema(ServerGroup.check(completeWith(prefix, ["URL", "MODEL"])), prefix), noServer),
    // Most tools answer within 90 seconds.
    seconds: wholeNumber(`${prefix}_TIMEOUT_SECONDS`, { minimum: 1, maximum, usual: seconds })
  }).pipe(Config.map(({ group: { KEY: key, MODEL: model = "", URL: url = "" }, seconds: timeout }): ModelServer | undefined =>
    url === "" ? undefined : { url: withoutSlash(url), key: isSet(key) ? key : undefined, model, timeout: Duration.seconds(timeout) }
  ))

export const EmbeddingSettings = Config.all({
  server: modelServer("EMBEDDINGS", 50),
  /** Without a server: `words` compares texts by what their words mean, the other by which words and parts they share. */
  local: Config.withDefault(Config.schema(Schema.Literals(["hash-ngram", "words"]), "EMBEDDINGS"), "hash-ngram")
})
export const InferenceSettings = modelServer("LLM", 80)

export const SpeechSettings = Config.all({
  server: modelServer("TTS", 60),
  /** Of the server, where a caller names none. */
  voice: Config.withDefault(Config.String("TTS_VOICE"), "alloy")
})

export const ListenerSettings = Config.all({
  server: modelServer("STT", 300, 500),
  program: Config.all({
    name: Config.withDefault(Config.schema(Schema.Literals(["whisper", "pocketsphinx"]), "STT"), "whisper"),
    path: Config.withDefault(Config.String("WHISPER_CLI"), "/usr/local/bin/whisper-cli"),
    model: Config.withDefault(Config.String("WHISPER_MODEL_FILE"), "")
  }).pipe(
    Config.map(({ model, name, path }): LocalListener | undefined =>
      name === "pocketsphinx" ? { program: name } : model === "" ? undefined : { program: name, path, model }
    )
  )
})

/** Read where they count, and once more at the start, so that a mistake is told before anything runs. */
export const BackendSettings = Config.all({
  objects: ObjectSettings,
  github: GithubSettings,
  mail: MailSettings,
  embeddings: EmbeddingSettings,
  inference: InferenceSettings,
  listener: ListenerSettings,
  speech: SpeechSettings
})
