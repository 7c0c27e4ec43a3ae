/** What calls of models cost in tokens, and where they are spent again. */
import type { ProgramMaker } from "../program.ts"
import { costEstimate } from "./cost-estimate.ts"
import { optimizationRules } from "./optimization-rules.ts"
import { promptDiffReport } from "./prompt-diff-report.ts"
import { tokenBudgetPlan } from "./token-budget-plan.ts"

export const optimization: ProgramMaker = {
  name: "optimization",
  artifacts: [
    { path: "optimization-rules.md", make: optimizationRules },
    { path: "prompt-diff-report.md", make: promptDiffReport },
    { path: "cost-estimate.json", make: costEstimate },
    { path: "token-budget-plan.md", make: tokenBudgetPlan }
  ]
}
