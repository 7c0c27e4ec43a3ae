/** The project's words: its names, its voice, what it asks of writers, and rules for a prose linter. */
import type { ProgramMaker } from "../program.ts"
import { brandGuidelines } from "./brand-guidelines.ts"
import { channelRulebook } from "./channel-rulebook.ts"
import { contentConstraints } from "./content-constraints.ts"
import { messagingSystem } from "./messaging-system.ts"
import { forbiddenPatterns, preferredTerms, valeIni } from "./vale.ts"
import { voiceAndTone } from "./voice-and-tone.ts"

export const brand: ProgramMaker = {
  name: "brand",
  artifacts: [
    { path: "brand-guidelines.md", make: brandGuidelines },
    { path: "voice-and-tone.md", make: voiceAndTone },
    { path: "content-constraints.md", make: contentConstraints },
    { path: "messaging-system.yaml", make: messagingSystem },
    { path: ".vale.ini", make: valeIni },
    { path: "styles/Svc/ForbiddenPatterns.yml", make: forbiddenPatterns },
    { path: "styles/Svc/PreferredTerms.yml", make: preferredTerms },
    { path: "channel-rulebook.md", make: channelRulebook }
  ]
}
