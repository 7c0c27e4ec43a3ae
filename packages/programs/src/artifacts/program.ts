/** Things that are made of the project's own routes, schemas, components and exports, and what is to be known before changing it. */
import type { ProgramMaker } from "../program.ts"
import { artifactSpec } from "./artifact-spec.ts"
import { capabilityMap } from "./capability-map.ts"
import { componentLibrary } from "./component-library.ts"
import { context } from "./context.ts"
import { dashboardWidget } from "./dashboard-widget.ts"
import { design } from "./design.ts"
import { embedSnippet } from "./embed-snippet.ts"
import { generatedComponent } from "./generated-component.ts"
import { indexHtml } from "./index-html.ts"
import { prd } from "./prd.ts"
import { tasks } from "./tasks.ts"

export const artifacts: ProgramMaker = {
  name: "artifacts",
  artifacts: [
    { path: "generated-component.tsx", make: generatedComponent },
    { path: "dashboard-widget.tsx", make: dashboardWidget },
    { path: "embed-snippet.ts", make: embedSnippet },
    { path: "artifact-spec.md", make: artifactSpec },
    { path: "component-library.json", make: componentLibrary },
    { path: "prd.md", make: prd },
    { path: "design.md", make: design },
    { path: "tasks.md", make: tasks },
    { path: "context.md", make: context },
    { path: "index.html", make: indexHtml },
    { path: "capability-map.yaml", make: capabilityMap }
  ]
}
