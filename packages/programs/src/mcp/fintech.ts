/** The two artifacts about money: what an agent could do with it here, and the schemas that hold it. */
import { cited } from "../claims/json.ts"
import { markdown } from "../claims/markdown.ts"
import { type Artifact, type Block, claim, heading, question, rule } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { yaml } from "../claims/yaml.ts"
import type { Project } from "../facts/project.ts"
import { type MoneySurface, moneySurface, NO_MONEY } from "./money.ts"
import { nothingInMarkdown, searchedText } from "./none.ts"

/** Types that round: what a claim of a float is made by. */
const FLOATS = /^(?:number|float|double|f32|f64|real|Float)$/u

const floats = ({ schemas }: MoneySurface): ReadonlyArray<Block> =>
  schemas.flatMap(({ fields, schema }) =>
    fields.filter(({ name, type }) => FLOATS.test(type) && name !== "currency").map(({ name, type }) =>
      claim(`\`${schema.subject}.${name}\` is a \`${type}\`.`, schema)
    )
  )

/** Writes that read no key: a retry of one may happen twice. */
const unguarded = (project: Project, { operations }: MoneySurface) =>
  operations.filter(({ effects, path }) =>
    effects !== undefined && !effects.idempotent &&
    !project.factsOf(path, "symbol").some(({ value: { signature } }) => /idempoten/iu.test(signature)) &&
    !project.factsOf(path, "schema").some(({ value: { fields } }) => fields.some(({ name }) => /idempoten/iu.test(name)))
  )

export const fintechSurface = (project: Project): Artifact => {
  const surface = moneySurface(project)
  if (surface.evidence === undefined) return nothingInMarkdown(project, "Money", NO_MONEY)
  const rounded = floats(surface)
  const repeated = unguarded(project, surface)
  return markdown([
    heading(1, `Money in ${project.description.project_name}`),
    ...surface.providers.map((dependency) => claim(`\`${dependency.subject}\` ${dependency.value.range}`, dependency)),
    ...surface.operations.map(({ evidence, name, tool }) => claim(`\`${name}\` as \`${tool}\``, ...evidence)),
    ...surface.schemas.map(({ fields, schema }) =>
      claim(`\`${schema.subject}\` holds ${fields.map(({ name, type }) => `\`${name}: ${type}\``).join(", ")}`, schema)
    ),
    ...(rounded.length === 0 ? [] : [
      heading(2, "Amounts that may round"),
      ...rounded,
      rule("Binary floating point cannot hold most decimal fractions.", {
        name: "IEEE 754",
        url: "https://ieeexplore.ieee.org/document/8766229"
      })
    ]),
    ...(repeated.length === 0 ? [] : [
      heading(2, "Writes without an idempotency key"),
      ...repeated.map(({ evidence, name }) => claim(`\`${name}\``, ...evidence)),
      rule("A client that retries needs a key by which the server knows the request again.", {
        name: "Idempotency-Key, IETF draft",
        url: "https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/"
      })
    ]),
    question("Above which amount does a human approve?")
  ])
}

export const fintechSchema = (project: Project): Artifact => {
  const { schemas } = moneySurface(project)
  return schemas.length === 0
    ? yaml({ schemas: [], searched: searchedText(project, "No schema with an amount, a price or a currency.") })
    : yaml({
      schemas: schemas.map(({ schema }) =>
        cited({
          name: schema.subject,
          at: placesOf([schema]),
          fields: schema.value.fields.map(({ name, required, type }) => ({ name, type, required }))
        }, schema)
      )
    })
}
