/** From what is seen to the place that causes it. */
import type { ProgramMaker } from "../program.ts"
import { debugPlaybook } from "./debug-playbook.ts"
import { incidentTemplate } from "./incident-template.ts"
import { rootCauseChecklist } from "./root-cause-checklist.ts"
import { tracingRules } from "./tracing-rules.ts"

export const debug: ProgramMaker = {
  name: "debug",
  artifacts: [
    { path: "debug-playbook.md", make: debugPlaybook },
    { path: "incident-template.md", make: incidentTemplate },
    { path: "tracing-rules.md", make: tracingRules },
    { path: "root-cause-checklist.md", make: rootCauseChecklist }
  ]
}
