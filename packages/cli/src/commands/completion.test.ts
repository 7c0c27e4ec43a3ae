/** The shells' completions, by a real bash. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Stream } from "effect"
import { Command, Completions } from "effect/cli"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { TestConsole } from "effect/testing"
import { root } from "../command.ts"
import { completionOf } from "./completion.ts"

/** What a bash offers after these words, of which the last is being typed. */
const COMPLETE = `
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
_svc svc "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "\${COMPREPLY[@]}"
`

const svc = root((name) => ["payment-intents", "completion", "open"].includes(name))

it.effect("completes resources, verbs, flags and their values in bash", () =>
  Effect.gen(function*() {
    const [fs, spawner] = [yield* FileSystem.FileSystem, yield* ChildProcessSpawner.ChildProcessSpawner]
    const command = Command.make("svc").pipe(Command.withSubcommands([completionOf(svc)]))
    yield* Command.runWith(command, { version: "0" })(["completion", "bash"])
    const file = `${yield* fs.makeTempDirectoryScoped({ prefix: "svc-completion-" })}/svc.bash`
    yield* fs.writeFileString(file, (yield* TestConsole.logLines).join("\n"))
    const offered = (...words: ReadonlyArray<string>) =>
      Effect.map(
        Stream.mkString(Stream.decodeText(
          Stream.unwrap(
            Effect.map(spawner.spawn(ChildProcess.make("bash", ["-c", COMPLETE, "bash", file, "svc", ...words])), ({ stdout }) => stdout)
          )
        )),
        (text) => text.trim().split("\n")
      )
    assert.includeMembers(yield* offered("pay"), ["payment-intents", "payouts"])
    assert.includeMembers(yield* offered("desk", ""), [""])
    assert.deepStrictEqual((yield* offered("payment-intents", "")).slice(0, 3), ["list", "get", "create"])
    assert.deepStrictEqual(yield* offered("payment-intents", "create", "--amo"), ["--amount"])
    assert.deepStrictEqual((yield* offered("payment-intents", "list", "--state", "ca")).toSorted(), ["cancelled", "captured"])
    assert.deepStrictEqual(yield* offered("completion", "z"), ["zsh"])
  }).pipe(Effect.scoped, Effect.provide([TestConsole.layer, NodeServices.layer])))

it.effect("is written for zsh, fish and PowerShell, too", () =>
  Effect.gen(function*() {
    const descriptor = Completions.fromCommand(yield* svc)
    for (const shell of ["zsh", "fish", "powershell"] as const) {
      const script = Completions.generate("svc", shell, descriptor)
      for (const word of ["payment-intents", "capture", "idempotency-key"]) assert.include(script, word, shell)
    }
  }))
