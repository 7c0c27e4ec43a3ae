/** A vault of the repository: one note a module, linked as the modules import each other. */
import type { ProgramMaker } from "../program.ts"
import { graphPromptMap } from "./graph-prompt-map.ts"
import { linkingPolicy } from "./linking-policy.ts"
import { obsidianSkillPack } from "./obsidian-skill-pack.ts"
import { templatePack } from "./template-pack.ts"
import { vaultRules } from "./vault-rules.ts"

export const obsidian: ProgramMaker = {
  name: "obsidian",
  artifacts: [
    { path: "obsidian-skill-pack.md", make: obsidianSkillPack },
    { path: "vault-rules.md", make: vaultRules },
    { path: "graph-prompt-map.json", make: graphPromptMap },
    { path: "linking-policy.md", make: linkingPolicy },
    { path: "template-pack.md", make: templatePack }
  ]
}
