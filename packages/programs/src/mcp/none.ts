/** Artifacts that have nothing to say of a repository: valid in their format, and they tell what was searched. */
import { json } from "../claims/json.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, heading } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"

export const nothingInMarkdown = (project: Project, title: string, text: string): Artifact =>
  markdown([heading(1, title), absence(text, project.searched())])

export const searchedText = (project: Project, text: string): string => `${text} Searched: ${project.searched()} files.`

export const nothingInJson = (project: Project, text: string, empty: Readonly<Record<string, never[]>> = {}): Artifact =>
  json({ ...empty, searched: searchedText(project, text) })
