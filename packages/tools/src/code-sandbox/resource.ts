/** The sandbox of code, as the tool asks for it. */
import { makeSandbox, type SandboxFailure, type SandboxRun } from "@svc/engines/sandbox/sandbox"
import { nothing } from "@svc/kernel/parts/part"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { beginningOf } from "@svc/kernel/values/text"
import { iso, realNow } from "@svc/kernel/values/time"
import { Attestations } from "@svc/stores/attestations/service"
import { NotConfigured } from "@svc/tool-kit/backend"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { type RunRequest, Sandbox } from "@svc/tool-kit/services/sandbox"
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { notConfigured } from "../backends/confinement.ts"

/** Bytes of each stream as JSON, in which a control character takes six. */
const MOST_JSON = 1.5 * 1024 * 1024
const SHORT_ESCAPES = "\b\t\n\f\r\"\\"

const jsonBytes = (unit: string): number =>
  SHORT_ESCAPES.includes(unit) ? 2 : unit < " " ? 6 : unit < "\u0080" ? 1 : unit < "\u0800" ? 2 : 3

/** Answers are kept for repeated requests, so no card number stays in one. */
const printed = (stream: string) => {
  const text = redactCardNumbers(stream.toWellFormed())
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    bytes += jsonBytes(text.charAt(at))
    if (bytes > MOST_JSON) return { text: beginningOf(text, at), isCut: true }
  }
  return { text, isCut: false }
}

const CUT = `What the run printed is cut off where it takes more than ${MOST_JSON} bytes as JSON.`

const answerOf = ({ durationMs, exitCode, image, notes: ofRun, stderr, stdout, timedOut }: SandboxRun) => {
  const [out, error] = [printed(stdout), printed(stderr)]
  const notes = out.isCut || error.isCut ? [...ofRun, CUT] : ofRun
  return {
    stdout: out.text,
    stderr: error.text,
    exit_code: exitCode,
    timed_out: timedOut,
    duration_ms: durationMs,
    image,
    ...(notes.length === 0 ? {} : { notes })
  }
}

const failed = (error: SandboxFailure): NotConfigured => {
  if (error._tag !== "RuntimeAbsent") return notConfigured(error)
  return new NotConfigured({
    reason: "runtime_absent",
    detail: `${error.message} The call was not charged.`,
    remediation: error.remedy
  })
}

const backend = Effect.gen(function*() {
  const sandbox = yield* makeSandbox
  const attestations = yield* Attestations

  const run = Effect.fnUntraced(function*({ code, runtime, stdin, timeout_seconds: seconds }: RunRequest, call: Call) {
    const { id: account } = accountOf(call)
    const started_at = iso(yield* realNow)
    const answer = answerOf(yield* Effect.mapError(sandbox.run({ account, runtime, code, stdin, seconds }), failed))
    if (call.mode !== "engineer") return answer
    const { exit_code, image, stderr, stdout } = answer
    const attestation = yield* attestations.attest(account, {
      code_sha256: hash("sha256", code),
      output_sha256: hash("sha256", canonicalize({ stdout, stderr, exit_code })),
      image,
      started_at
    })
    return { ...answer, attestation }
  })
  return Sandbox.of({
    get: Effect.as(Effect.mapError(sandbox.wall, notConfigured), { run }),
    weaknesses: Effect.orElseSucceed(sandbox.weaknesses, () => [])
  })
})

export const codeSandbox = { ...nothing, services: Layer.effect(Sandbox, backend) }
