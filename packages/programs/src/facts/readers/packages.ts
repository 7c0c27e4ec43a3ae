/** Manifests and lock files of all ecosystems but npm. */
import type { Reader } from "../model.ts"
import { cargo } from "./packages/cargo.ts"
import { composer } from "./packages/composer.ts"
import { goMod } from "./packages/go.ts"
import { gradle } from "./packages/gradle.ts"
import { maven } from "./packages/maven.ts"
import { pyproject } from "./packages/pyproject.ts"
import { pipfile, requirementsTxt, setupCfg } from "./packages/requirements.ts"
import { ruby } from "./packages/ruby.ts"
import { tomlLocks } from "./packages/toml-locks.ts"

export const packages: ReadonlyArray<Reader> = [
  pyproject,
  requirementsTxt,
  setupCfg,
  pipfile,
  cargo,
  goMod,
  ...ruby,
  ...composer,
  maven,
  ...gradle,
  ...tomlLocks
]
