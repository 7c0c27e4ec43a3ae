/** Pages and their styles. */
import type { Reader } from "../model.ts"
import { elements } from "./pages/elements.ts"
import { pictures } from "./pages/pictures.ts"
import { pageStyles, styles } from "./pages/styles.ts"

export const pages: ReadonlyArray<Reader> = [styles, pageStyles, elements, pictures]
