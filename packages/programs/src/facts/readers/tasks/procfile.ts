/** A Procfile: which command a process of each type runs. */
import { linesWithSpans } from "../../lines.ts"
import { fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

const LONGEST_COMMAND = 500

export const procfile = readerOf(/(?:^|\/)Procfile$/u, (path, text) =>
  linesWithSpans(path, text).flatMap(({ span, text: line }) => {
    const [, name, command] = /^([\w-]+)\s*:\s*(\S.*)$/u.exec(line) ?? []
    return name === undefined || command === undefined
      ? []
      : [fact("script", clip(name), { runner: "procfile", command: clip(command, LONGEST_COMMAND) }, span)]
  }))
