/** component-library.json: each component with its properties, where it is defined, and who imports it: a component a line. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { placeOfFact } from "../map/uses.ts"
import { searchedText } from "../mcp/none.ts"
import { type Component, componentsOf } from "./components.ts"

const MOST = 200
const MOST_PLACES = 6

const entryOf = ({ fact, tests, users }: Component): Value =>
  cited(
    {
      component: fact.subject,
      framework: fact.value.framework,
      properties: Object.fromEntries(fact.value.props.map(({ name, required, type }) => [required ? name : `${name}?`, type])),
      defined: placeOfFact(fact),
      files: users.length,
      "used in": users.slice(0, MOST_PLACES).map(placeOfFact),
      tests: tests.slice(0, MOST_PLACES).map(placeOfFact)
    },
    fact,
    ...users
  )

export const componentLibrary = (project: Project): Artifact => {
  const components = componentsOf(project)
  return components.length === 0
    ? jsonLines({ components: [], searched: searchedText(project, "No component.") })
    : jsonLines({ components: components.slice(0, MOST).map(entryOf) })
}
