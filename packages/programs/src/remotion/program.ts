/** A film about the project: its name, what can be asked of it, its models, modules and tests. */
import type { ProgramMaker } from "../program.ts"
import { assetChecklist } from "./asset-checklist.ts"
import { remotionScript } from "./remotion-script.ts"
import { renderConfig } from "./render-config.ts"
import { scenePlan } from "./scene-plan.ts"
import { storyboard } from "./storyboard.ts"

export const remotion: ProgramMaker = {
  name: "remotion",
  artifacts: [
    { path: "remotion-script.ts", make: remotionScript },
    { path: "scene-plan.md", make: scenePlan },
    { path: "render-config.json", make: renderConfig },
    { path: "asset-checklist.md", make: assetChecklist },
    { path: "storyboard.md", make: storyboard }
  ]
}
