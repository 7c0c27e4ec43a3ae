/** Continuous integration. */
import type { Reader } from "../model.ts"
import { azure } from "./ci/azure.ts"
import { circleci } from "./ci/circleci.ts"
import { github } from "./ci/github.ts"
import { gitlab } from "./ci/gitlab.ts"

export const ci: ReadonlyArray<Reader> = [...github, gitlab, circleci, azure]
