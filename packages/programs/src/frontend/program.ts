/** The interface as it is written: how components are named, used and laid out, and what keeps people out of it. */
import type { ProgramMaker } from "../program.ts"
import { componentGuidelines } from "./component-guidelines.ts"
import { frontendRules } from "./frontend-rules.ts"
import { layoutPatterns } from "./layout-patterns.ts"
import { uiAudit } from "./ui-audit.ts"

export const frontend: ProgramMaker = {
  name: "frontend",
  artifacts: [
    { path: "frontend-rules.md", make: frontendRules },
    { path: "component-guidelines.md", make: componentGuidelines },
    { path: "layout-patterns.md", make: layoutPatterns },
    { path: "ui-audit.md", make: uiAudit }
  ]
}
