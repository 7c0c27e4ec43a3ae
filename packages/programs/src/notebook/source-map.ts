/** source-map.json: what to load into a notebook, a source a line: documents with their sections, modules with their files. */
import { cited, citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { documentsOf, linkedPath } from "../map/documents.ts"
import { factsOfModule, modulesOf } from "../map/modules.ts"
import { lineOf } from "../map/uses.ts"
import { namesOf } from "../map/words.ts"

const MOST = 20

const some = (values: ReadonlyArray<string>): Value | undefined =>
  values.length === 0 ? undefined : [...values.slice(0, MOST), ...values.length > MOST ? [`+${values.length - MOST}`] : []]

const documents = (project: Project): ReadonlyArray<Value> =>
  documentsOf(project).map(({ file, headings, paragraphs, path }) => {
    const [title, ...sections] = headings
    const targets = project.factsOf(path, "link").flatMap((link) => linkedPath(link) ?? []).filter((target) =>
      project.paths.includes(target)
    )
    return cited({
      document: path,
      title: title?.subject,
      sections: some(sections.map((one) => `${clip(one.subject, 60)}:${lineOf(one)}`)),
      "leads to": some([...new Set(targets)].toSorted(byText)),
      lines: file.value.lines
    }, title ?? paragraphs[0] ?? file)
  })

const modules = (project: Project): ReadonlyArray<Value> =>
  modulesOf(project).flatMap((module) => {
    const { files, name, names, purpose, to } = module
    return citedOf({
      module: name,
      for: purpose === undefined ? undefined : clip(purpose.text, 120),
      files: some(files.map(({ subject, value }) => `${subject.slice(subject.lastIndexOf("/") + 1)}: ${value.lines}`)),
      names: some(namesOf(names)),
      "read after": some(to.map((edge) => edge.to))
    }, factsOfModule(module))
  })

export const sourceMap = (project: Project): Artifact => {
  const [documented, coded] = [documents(project), modules(project)]
  return documented.length + coded.length === 0
    ? jsonLines({ documents: [], modules: [], searched: `documents and code, in ${project.searched()} files` })
    : jsonLines({ documents: documented, modules: coded })
}
