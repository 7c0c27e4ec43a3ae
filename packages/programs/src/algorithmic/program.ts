/** Drawings of the import graph: the sketch that draws them, what it can be asked with, and what there is to see. */
import type { ProgramMaker } from "../program.ts"
import { collectionMap } from "./collection-map.ts"
import { exportManifest } from "./export-manifest.ts"
import { generativeSketch } from "./generative-sketch.ts"
import { parameterPack } from "./parameter-pack.ts"
import { variationMatrix } from "./variation-matrix.ts"

export const algorithmic: ProgramMaker = {
  name: "algorithmic",
  artifacts: [
    { path: "generative-sketch.ts", make: generativeSketch },
    { path: "parameter-pack.json", make: parameterPack },
    { path: "collection-map.md", make: collectionMap },
    { path: "export-manifest.yaml", make: exportManifest },
    { path: "variation-matrix.json", make: variationMatrix }
  ]
}
