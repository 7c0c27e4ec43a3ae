/** What makes the artifacts of `programs.ts`, in the same order. */
import { agenticPurchasing } from "./agentic-purchasing/program.ts"
import { algorithmic } from "./algorithmic/program.ts"
import { artifacts } from "./artifacts/program.ts"
import { brand } from "./brand/program.ts"
import { canvas } from "./canvas/program.ts"
import { closer } from "./closer/program.ts"
import { debug } from "./debug/program.ts"
import { deploy } from "./deploy/program.ts"
import { frontend } from "./frontend/program.ts"
import { marketing } from "./marketing/program.ts"
import { mcp } from "./mcp/program.ts"
import { notebook } from "./notebook/program.ts"
import { obsidian } from "./obsidian/program.ts"
import { optimization } from "./optimization/program.ts"
import { pitch } from "./pitch/program.ts"
import type { ProgramMaker } from "./program.ts"
import { remotion } from "./remotion/program.ts"
import { search } from "./search/program.ts"
import { seo } from "./seo/program.ts"
import { skills } from "./skills/program.ts"
import { superpowers } from "./superpowers/program.ts"
import { theme } from "./theme/program.ts"

export const runningPrograms: ReadonlyArray<ProgramMaker> = [
  search,
  skills,
  debug,
  frontend,
  seo,
  pitch,
  optimization,
  theme,
  brand,
  superpowers,
  marketing,
  notebook,
  obsidian,
  mcp,
  artifacts,
  remotion,
  canvas,
  algorithmic,
  agenticPurchasing,
  closer,
  deploy
]
