/** Documents and licences. */
import type { Reader } from "../model.ts"
import { licenseText } from "./documents/license.ts"
import { markdown } from "./documents/markdown.ts"
import { rst } from "./documents/rst.ts"

export const documents: ReadonlyArray<Reader> = [markdown, rst, licenseText]
