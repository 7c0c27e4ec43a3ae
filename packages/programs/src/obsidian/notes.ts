/** Notes of a vault: one a module, called as its folder is, so that a link to a folder is a link to its note. */
import type { Project } from "../facts/project.ts"
import type { Edge } from "../map/graph.ts"

export const link = (name: string): string => `[[${name}]]`

/** The note of a folder: the root's has the project's name. */
export const noteOf = (project: Project, folder: string): string => folder === "." ? project.description.project_name : folder

/** The strongest of the links to others, and how many more there are. */
export const linked = (project: Project, edges: ReadonlyArray<Edge>, most: number): string => {
  const shown = edges.toSorted((one, other) => other.imports.length - one.imports.length).slice(0, most)
    .map(({ to }) => link(noteOf(project, to))).join(", ")
  return edges.length > most ? `${shown} +${edges.length - most}` : shown
}

/** Names that the importer takes of what it imports. */
export const takenOf = ({ imports }: Pick<Edge, "imports">): ReadonlyArray<string> => [
  ...new Set(imports.flatMap(({ value }) => value.names).filter((name) => name !== "*" && name !== "default"))
]
