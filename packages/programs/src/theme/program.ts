/** What styles name, and who uses the names. */
import type { ProgramMaker } from "../program.ts"
import { componentThemeMap } from "./component-theme-map.ts"
import { darkModeTokens } from "./dark-mode-tokens.ts"
import { designTokens } from "./design-tokens.ts"
import { themeCss } from "./theme-css.ts"
import { themeGuidelines } from "./theme-guidelines.ts"

export const theme: ProgramMaker = {
  name: "theme",
  artifacts: [
    { path: "design-tokens.json", make: designTokens },
    { path: "theme.css", make: themeCss },
    { path: "theme-guidelines.md", make: themeGuidelines },
    { path: "component-theme-map.json", make: componentThemeMap },
    { path: "dark-mode-tokens.json", make: darkModeTokens }
  ]
}
