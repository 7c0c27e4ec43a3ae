/** What a project runs in. */
import type { Reader } from "../model.ts"
import { compose } from "./infrastructure/compose.ts"
import { dockerfile, dockerignore } from "./infrastructure/dockerfile.ts"
import { environment } from "./infrastructure/environment.ts"

export const infrastructure: ReadonlyArray<Reader> = [dockerfile, dockerignore, compose, environment]
