/** Pictures of the project: its import graph as a canvas, a diagram and a poster; its marks, colours and pictures. */
import type { ProgramMaker } from "../program.ts"
import { architectureDiagram } from "./architecture-diagram.ts"
import { assetGuidelines } from "./asset-guidelines.ts"
import { brandBoard } from "./brand-board.ts"
import { canvasSpec } from "./canvas-spec.ts"
import { posterLayouts } from "./poster-layouts.ts"
import { socialPack } from "./social-pack.ts"

export const canvas: ProgramMaker = {
  name: "canvas",
  artifacts: [
    { path: "canvas-spec.json", make: canvasSpec },
    { path: "social-pack.md", make: socialPack },
    { path: "poster-layouts.md", make: posterLayouts },
    { path: "asset-guidelines.md", make: assetGuidelines },
    { path: "architecture-diagram.d2", make: architectureDiagram },
    { path: "brand-board.md", make: brandBoard }
  ]
}
