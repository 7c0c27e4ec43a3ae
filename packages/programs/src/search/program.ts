/** The map of a repository: what is where, and what depends on it. */
import type { ProgramMaker } from "../program.ts"
import { architectureSummary } from "./architecture-summary.ts"
import { contextMap } from "./context-map.ts"
import { dependencyHotspots } from "./dependency-hotspots.ts"
import { repoProfile } from "./repo-profile.ts"
import { repoRunStats } from "./repo-run-stats.ts"
import { symbolIndex } from "./symbol-index.ts"

export const search: ProgramMaker = {
  name: "search",
  artifacts: [
    { path: "context-map.json", make: contextMap },
    { path: "repo-profile.yaml", make: repoProfile },
    { path: "architecture-summary.md", make: architectureSummary },
    { path: "dependency-hotspots.md", make: dependencyHotspots },
    { path: "symbol-index.json", make: symbolIndex },
    { path: "repo-run-stats.json", make: repoRunStats }
  ]
}
