/** A pitch made of the project's own words and numbers. */
import type { ProgramMaker } from "../program.ts"
import { pitchDeck, pitchDeckJson } from "./pitch-deck.ts"
import { slideArtPrompts } from "./slide-art-prompts.ts"

export const pitch: ProgramMaker = {
  name: "pitch",
  artifacts: [
    { path: "pitch-deck.md", make: pitchDeck },
    { path: "pitch-deck.json", make: pitchDeckJson },
    { path: "slide-art-prompts.json", make: slideArtPrompts }
  ]
}
