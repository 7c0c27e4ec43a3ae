/** What agents and people run and keep to here: checks, tests, sweeps. */
import type { ProgramMaker } from "../program.ts"
import { automationPipeline } from "./automation-pipeline.ts"
import { redundancySweepPlaybook } from "./redundancy-sweep-playbook.ts"
import { redundancySweep } from "./redundancy-sweep.ts"
import { refactorChecklist } from "./refactor-checklist.ts"
import { prePush, verify, verifyFull } from "./shell-scripts.ts"
import { superpowerPack } from "./superpower-pack.ts"
import { testGenerationRules } from "./test-generation-rules.ts"
import { workflowRegistry } from "./workflow-registry.ts"

export const superpowers: ProgramMaker = {
  name: "superpowers",
  artifacts: [
    { path: "superpower-pack.md", make: superpowerPack },
    { path: "workflow-registry.json", make: workflowRegistry },
    { path: "test-generation-rules.md", make: testGenerationRules },
    { path: "refactor-checklist.md", make: refactorChecklist },
    { path: "automation-pipeline.yaml", make: automationPipeline },
    { path: "verify.sh", make: verify },
    { path: "verify-full.sh", make: verifyFull },
    { path: ".githooks/pre-push", make: prePush },
    { path: "redundancy-sweep.mjs", make: redundancySweep },
    { path: "redundancy-sweep-playbook.md", make: redundancySweepPlaybook }
  ]
}
