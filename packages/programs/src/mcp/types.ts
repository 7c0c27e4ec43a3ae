/** spec.types.ts: TypeScript types of the tools' inputs and of the repository's schemas, each with its place. */
import type { Artifact, Citation, Evidence } from "../claims/model.ts"
import { citationsAt, placesOf } from "../claims/places.ts"
import { member, typeName, typeOf } from "../claims/typescript.ts"
import type { Fact, Field } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedText } from "./none.ts"
import { NO_OPERATIONS, type Operation, operationsOf } from "./operations.ts"

interface Declaration {
  readonly name: string
  readonly fields: ReadonlyArray<Pick<Field, "name" | "required"> & { readonly type?: string }>
  readonly evidence: Evidence
}

/** A comment cannot be ended from inside. */
const comment = (text: string): string => `/** ${text.replaceAll("*/", "* /")} */`

const linesOf = ({ evidence, fields, name }: Declaration): ReadonlyArray<string> => [
  comment(placesOf(evidence).join(", ")),
  `export interface ${name} {`,
  ...fields.map((field) => `  readonly ${member(field.name)}${field.required ? "" : "?"}: ${typeOf(field.type ?? "string")}`),
  "}",
  ""
]

const ofOperation = ({ evidence, parameters, tool }: Operation): Declaration => ({
  name: `${typeName(tool)}Input`,
  fields: parameters,
  evidence
})

const distinctFields = (fields: ReadonlyArray<Field>): ReadonlyArray<Field> =>
  fields.filter(({ name }, at) => fields.findIndex((other) => other.name === name) === at)

const ofSchema = (schema: Fact<"schema">): Declaration => ({
  name: typeName(schema.subject),
  fields: distinctFields(schema.value.fields),
  evidence: [schema]
})

/** The first of two with one name is declared. */
const distinct = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<Declaration> => {
  const seen = new Set<string>()
  return declarations.filter(({ name }) => !seen.has(name) && seen.add(name))
}

export const specTypes = (project: Project): Artifact => {
  const operations = operationsOf(project).filter(({ parameters }) => parameters.length > 0)
  const declarations = distinct([...operations.map(ofOperation), ...project.facts("schema").map(ofSchema)])
  const lines: Array<string> = []
  const citations: Array<Citation> = []
  for (const declaration of declarations) {
    citations.push(...citationsAt(lines.length + 1, declaration.evidence))
    lines.push(...linesOf(declaration))
  }
  return declarations.length === 0
    ? {
      text: `${comment(searchedText(project, `${NO_OPERATIONS.slice(0, -1)} with parameters, and no schema.`))}\nexport {}\n`,
      evidence: "none",
      citations: []
    }
    : { text: `${lines.join("\n").trimEnd()}\n`, evidence: "cited", citations }
}
