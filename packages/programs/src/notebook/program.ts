/** Sources for a notebook: what to read, in which order, what to cite, and what is still open. */
import type { ProgramMaker } from "../program.ts"
import { citationIndex } from "./citation-index.ts"
import { notebookSummary } from "./notebook-summary.ts"
import { researchThreads } from "./research-threads.ts"
import { sourceMap } from "./source-map.ts"
import { studyBrief } from "./study-brief.ts"

export const notebook: ProgramMaker = {
  name: "notebook",
  artifacts: [
    { path: "notebook-summary.md", make: notebookSummary },
    { path: "source-map.json", make: sourceMap },
    { path: "study-brief.md", make: studyBrief },
    { path: "research-threads.md", make: researchThreads },
    { path: "citation-index.json", make: citationIndex }
  ]
}
