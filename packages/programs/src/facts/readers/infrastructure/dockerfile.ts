/** Dockerfiles: each instruction, under the name of its stage. */
import { DockerfileParser, From } from "dockerfile-ast"
import { linesWithSpans } from "../../lines.ts"
import { fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

/** The parser slows down with the square of a line's length. */
const MOST_CHARACTERS = 100_000
const LONGEST_VALUE = 500

/** What a context leaves out, a line a pattern. */
export const dockerignore = readerOf(
  /(?:^|\/)\.dockerignore$/u,
  (path, text) =>
    linesWithSpans(path, text).filter((line) => !/^\s*(?:#|$)/u.test(line.text)).map((line) =>
      fact("setting", "docker", { name: "ignore", value: clip(line.text) }, line.span)
    )
)

export const dockerfile = readerOf(/(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.[Dd]ockerfile$/u, (path, text) => {
  if (path.endsWith("ignore")) return []
  if (text.length > MOST_CHARACTERS) throw new Error(`it has more than ${MOST_CHARACTERS} characters of Dockerfile`)
  const lines = text.split("\n")
  let stages = 0
  let stage = ""
  return DockerfileParser.parse(text).getInstructions().map((instruction) => {
    if (instruction instanceof From) {
      stage = instruction.getBuildStage() ?? String(stages)
      stages++
    }
    const { end, start } = instruction.getRange()
    const keyword = instruction.getKeyword()
    // The parser's own arguments leave out flags and heredocs.
    const written = lines.slice(start.line, end.line + 1).join("\n").trimStart().slice(keyword.length).replaceAll(/\\\r?\n/gu, " ")
    const span = { path, start_line: start.line + 1, end_line: end.line + 1 }
    return fact("container", clip(stage), { instruction: keyword, value: clip(written, LONGEST_VALUE) }, span)
  })
})
