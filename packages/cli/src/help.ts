/** How help and mistakes in a call are shown: lines that fit a terminal, and a mistake in one line, without the help before it. */
import { Console, Layer } from "effect"
import { CliConfig, type CliError, CliOutput, GlobalFlag } from "effect/cli"
import { failureText } from "./failure.ts"

const COLUMNS = 100

/** The line in lines of at most {@link COLUMNS}; those after the first begin where the text of the first began. */
const wrapped = (line: string): string => {
  if (CliOutput.displayWidth(line) <= COLUMNS) return line
  const [, start = "", text = line] = /^(\s*\S+(?: \S+)* {2,}|\s*)([^]*)$/.exec(line) ?? []
  const indent = " ".repeat(CliOutput.displayWidth(start))
  const lines = [""]
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? ""
    if (last !== "" && indent.length + CliOutput.displayWidth(`${last} ${word}`) > COLUMNS) lines.push(word)
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
  }
  return start + lines.join(`\n${indent}`)
}

const plain = CliOutput.defaultFormatter({ globalFlags: "summary" })
const formatter: CliOutput.Formatter = {
  ...plain,
  formatHelpDoc: (doc) => plain.formatHelpDoc(doc).split("\n").map(wrapped).join("\n")
}

/** Longer lists of what a flag or an argument takes are left to the help. */
const LONGEST_LIST = 200

const sentenceOf = (error: CliError.NonShowHelpErrors): string => {
  const message = error._tag === "InvalidValue" && error.expected.length > LONGEST_LIST
    ? `"${error.value}" is no ${error.option}.`
    : error.message.split("\n").map((line) => line.trim()).join(" ").replace(
      /Expected: (?:Schema validation failed: )?(?:Expected )?/,
      "Expected "
    )
  return /[.?!]$/.test(message) ? message : `${message}.`
}

const presenter = (json: boolean): CliOutput.Presenter => ({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(failureText({
        error: "called_wrongly",
        message: `${event.errors.map(sentenceOf).join(" ")} ${event.commandPath.join(" ")} --help shows how to call it.`
      }, json))
      : CliOutput.defaultPresenter.present(event)
})

/** For `Command.run`. `json`: whether mistakes are shown as JSON. */
export const layer = (json: boolean): Layer.Layer<never> =>
  Layer.mergeAll(
    CliOutput.layer(formatter),
    CliOutput.layerPresenter(presenter(json)),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
  )
