/** model-cascade.md: which model calls the code makes, with which models, and what happens when a call fails. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, evidenceOf, question, type Table } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { pageOf } from "./page.ts"

type ModelCall = Fact<"model-call">

/** Packages that call models, by name or by the beginning of it. */
const SDKS: ReadonlySet<string> = new Set(
  "openai anthropic google-genai ai langchain litellm mistralai cohere cohere-ai ollama groq groq-sdk replicate".split(" ")
)
const SDK_SCOPES = /^@(?:anthropic-ai|google\/gen|ai-sdk|langchain)/u

/** Catches in the function that makes the call. */
const catchesOf = (project: Project, { evidence: [{ path }], value: { within } }: ModelCall): ReadonlyArray<Fact<"error">> =>
  project.factsOf(path, "error").filter(({ value }) => value.style === "catch" && value.within === within && within !== null)

const calls = (project: Project): ReadonlyArray<Table> => {
  const rows = project.facts("model-call").slice(0, 60).map((call) => {
    const catches = catchesOf(project, call)
    const { model, within } = call.value
    return {
      cells: [
        code(call.subject, 40),
        code(call.value.call, 60),
        model === null ? "not written here" : code(model, 60),
        within === null ? "" : code(within, 60),
        catches.length === 0 ? "no catch" : "caught"
      ],
      evidence: [call, ...catches] as const
    }
  })
  return rows.length === 0 ? [] : [{ block: "table", columns: ["provider", "call", "model", "within", "failure"], rows }]
}

/** Functions that call more than one model: the only cascades that the code has. */
const cascades = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("model-call"), ({ evidence: [{ path }], value: { within } }) => `${path} ${within}`)).flatMap(
    ([, group]) => {
      const models = [...new Set(group.flatMap(({ value: { model } }) => model === null ? [] : [code(model, 60)]))]
      const within = group[0]?.value.within
      return models.length < 2 || within == null ? [] : claimOf(`${code(within)} calls ${list(models)}, in this order.`, group)
    }
  )

const packages = (project: Project): ReadonlyArray<Block> =>
  project.facts("dependency").filter(({ subject }) => SDKS.has(subject) || SDK_SCOPES.test(subject)).slice(0, 20).flatMap((dependency) =>
    claimOf(`${code(dependency.subject)} ${code(dependency.value.range)} is a ${dependency.value.scope} dependency.`, [dependency])
  )

const KEYS = /(?:OPENAI|ANTHROPIC|GEMINI|GOOGLE_AI|MISTRAL|COHERE|GROQ|LLM|MODEL)\w*/u

const variables = (project: Project): ReadonlyArray<Block> =>
  Array.from(
    Map.groupBy(
      project.facts("environment").filter(({ subject }) => /^\w{1,60}$/u.test(subject) && KEYS.test(subject)),
      ({ subject }) => subject
    )
  ).slice(0, 20).flatMap(([name, reads]) => {
    const evidence = evidenceOf(reads)
    const fallback = reads.find(({ value }) => value.fallback !== null)?.value.fallback
    return evidence === undefined ? [] : claimOf(`${code(name)} is read${fallback == null ? "" : `, else ${code(fallback, 60)}`}.`, reads)
  })

export const modelCascade = (project: Project): Artifact => {
  const uncaught = project.facts("model-call").filter((call) => catchesOf(project, call).length === 0)
  return pageOf(`${project.description.project_name}: model calls`, project.searched(), [
    {
      title: "Calls",
      blocks: calls(project),
      noun: "model call"
    },
    { title: "Several models in one function", blocks: cascades(project) },
    { title: "Packages", blocks: packages(project) },
    { title: "Variables", blocks: variables(project) },
    { title: "Open", blocks: uncaught.length === 0 ? [] : [question("Which model answers when a call without a catch fails?")] }
  ])
}
