/** Readers of all that is not code. */
import { catalogs } from "../catalog-items.ts"
import type { Reader } from "../model.ts"
import { ci } from "./ci.ts"
import { documents } from "./documents.ts"
import { infrastructure } from "./infrastructure.ts"
import { interfaces } from "./interfaces.ts"
import { listings } from "./listings.ts"
import { npm } from "./npm.ts"
import { packages } from "./packages.ts"
import { pages } from "./pages.ts"
import { promptFiles } from "./prompts.ts"
import { settings } from "./settings.ts"
import { tasks } from "./tasks.ts"

export const configuration: ReadonlyArray<Reader> = [
  ...npm,
  ...packages,
  ...ci,
  ...tasks,
  ...settings,
  ...documents,
  ...infrastructure,
  ...interfaces,
  ...pages,
  catalogs,
  promptFiles,
  ...listings
]
