/** cro-playbook.md: what people must fill in and what refuses them: forms with their fields, requests with their schemas, refusals. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { page, rowOf, table } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { memo } from "../map/memo.ts"
import { isTestFile, lineOf, pathOf } from "../map/uses.ts"
import { code, listed, namesOf } from "../map/words.ts"
import { factsBelow, funnelOf } from "./steps.ts"

const MOST = 15

interface Form {
  readonly form: Fact<"element">
  readonly fields: ReadonlyArray<Fact<"element">>
  readonly buttons: ReadonlyArray<Fact<"element">>
  readonly labels: ReadonlyArray<Fact<"element">>
}

const isField = ({ subject, value: { attributes } }: Fact<"element">): boolean =>
  subject === "select" || subject === "textarea" ||
  subject === "input" && !/^(?:hidden|submit|button|image|reset)$/u.test(attributes["type"] ?? "")

/** A form has what stands behind it, up to the next. */
const formsOf: (project: Project) => ReadonlyArray<Form> = memo((project) =>
  project.facts("element").filter((one) => one.subject === "form" && !isTestFile(project, pathOf(one))).map((form) => {
    const elements = project.factsOf(pathOf(form), "element")
    const next = elements.find((one) => one.subject === "form" && lineOf(one) > lineOf(form))
    const within = elements.filter((one) => lineOf(one) >= lineOf(form) && (next === undefined || lineOf(one) < lineOf(next)))
    return {
      form,
      fields: within.filter(isField),
      buttons: within.filter(({ subject, value }) => subject === "button" && value.text !== ""),
      labels: within.filter(({ subject }) => subject === "label")
    }
  })
)

const nameOf = ({ subject, value: { attributes } }: Fact<"element">): string => attributes["name"] ?? attributes["id"] ?? subject

/** A field that no label names, as far as attributes say it: a label may also stand around its field. */
const isUnnamed = ({ fields, labels }: Form) => (field: Fact<"element">): boolean => {
  const { "aria-label": said, id } = field.value.attributes
  const around = labels.some((label) => label.value.attributes["for"] === undefined && lineOf(label) <= lineOf(field))
  return said === undefined && !around && !labels.some((label) => id !== undefined && label.value.attributes["for"] === id) &&
    fields.includes(field)
}

const forms = (project: Project): ReadonlyArray<Block> =>
  table(
    ["form", "fields", "required", "no label", "button"],
    formsOf(project).slice(0, MOST).flatMap((one) => {
      const { buttons, fields, form } = one
      const required = fields.filter(({ value }) => value.attributes["required"] !== undefined)
      const { action, method } = form.value.attributes
      return rowOf([
        code(action === undefined ? pathOf(form) : `${(method ?? "get").toUpperCase()} ${clip(action, 60)}`),
        `${fields.length}: ${listed(fields.map(nameOf), 4)}`,
        String(required.length),
        listed(fields.filter(isUnnamed(one)).map(nameOf), 3),
        listed(buttons.map(({ value }) => clip(value.text, 40)), 2)
      ], [form, ...fields, ...buttons])
    })
  )

const REQUEST = /request|input$|^create|body$|payload|form$|checkout|sign_?up|register/iu

/** Schemas of what callers send: each required field is a question to them. */
const requests = (project: Project): ReadonlyArray<Block> =>
  table(
    ["request", "required", "optional"],
    project.facts("schema").filter((schema) =>
      REQUEST.test(schema.subject) && schema.value.fields.length > 0 && !isTestFile(project, pathOf(schema))
    )
      .slice(0, MOST).flatMap((schema) => {
        const [required, optional] = [true, false].map((is) =>
          schema.value.fields.filter((field) => field.required === is).map(({ name }) => name)
        )
        return rowOf([code(schema.subject), listed(required ?? [], 5), listed(optional ?? [], 4)], [schema])
      })
  )

/** What people are told on the way to paying, where it fails. */
const refusals = (project: Project): ReadonlyArray<Block> =>
  table(
    ["entry", "refuses by", "says"],
    funnelOf(project).filter(({ step }) => step !== "install" && step !== "use").flatMap((one) =>
      factsBelow(project, "error", one).filter(({ value }) => value.style !== "catch")
        .map((error) => ({ one, error }))
    ).slice(0, MOST).flatMap(({ error, one }) =>
      rowOf([one.text, code(error.subject), error.value.message === null ? "–" : code(clip(error.value.message, 90))], [error, one.fact])
    )
  )

const buttonsAlone = (project: Project): ReadonlyArray<Block> => {
  const inForms = new Set(formsOf(project).flatMap(({ buttons }) => buttons))
  const alone = project.facts("element").filter((one) =>
    one.subject === "button" && one.value.text !== "" && !inForms.has(one) && !isTestFile(project, pathOf(one))
  )
  return table(
    ["page", "buttons"],
    Array.from(Map.groupBy(alone, pathOf)).slice(0, MOST).flatMap(([path, group]) =>
      rowOf([code(path), listed(namesOf(group.map((one) => ({ ...one, subject: clip(one.value.text, 40) }))), 5)], group)
    )
  )
}

export const croPlaybook = (project: Project): Artifact => {
  const pages = project.searched({ roles: ["page", "source"] })
  return page(`${project.description.project_name}: asked and refused`, [
    { title: "Forms", blocks: forms(project), none: absence("No form.", pages) },
    { title: "Requests", blocks: requests(project) },
    { title: "Refusals", blocks: refusals(project) },
    { title: "Buttons outside of forms", blocks: buttonsAlone(project) }
  ])
}
