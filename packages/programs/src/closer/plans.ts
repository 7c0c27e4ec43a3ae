/** Build plans of what is packaged, and where a plan ends. */
import { shellPath, shellWord } from "../claims/comments.ts"
import { code } from "../claims/inline.ts"
import { type Row, rowOf } from "../claims/sections.ts"
import type { BuildPlan } from "../delivery/model.ts"
import { plansOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { memo } from "../map/memo.ts"
import { productOf } from "./product.ts"

const MOST = 8

const isWithin = (path: string, folder: string): boolean => folder === "." || path === folder || path.startsWith(`${folder}/`)

/** Plans of the product's folder and of folders below, those nearest to it first. */
export const productPlans: (project: Project) => ReadonlyArray<BuildPlan> = memo((project) => {
  const { folder } = productOf(project)
  return plansOf(project).filter((plan) => isWithin(plan.folder, folder)).slice(0, MOST)
})

/** A plan installs for an image: somebody who works with the sources wants what tests need, too, and a folder of its own. */
const AT_HOME: ReadonlyArray<readonly [inImage: string, atHome: string]> = [
  [" --no-cache-dir", ""],
  ["uv sync --frozen --no-dev --active", "uv sync --frozen --all-extras"],
  ["poetry install --only main", "poetry install --all-extras"]
]

export const installCommands = ({ install }: BuildPlan): ReadonlyArray<string> =>
  install?.value.commands.map((command) => AT_HOME.reduce((text, [inImage, atHome]) => text.replace(inImage, atHome), command)) ?? []

/** Tools that install into a folder of their own, and start programs in it. */
export const runnerOf = (plan: BuildPlan): "uv" | "poetry" | undefined =>
  (["uv", "poetry"] as const).find((tool) => installCommands(plan).some((command) => command.startsWith(`${tool} `)))

/** What starts the program where its sources lie: the file that building leaves, not the place that an image has it in. */
const wordsOf = (plan: BuildPlan, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { language, output } = plan
  if (output === undefined) return [...runnerOf(plan) === undefined ? [] : [runnerOf(plan) ?? "", "run"], ...words]
  return language === "java" ? words.map((word) => word === "app.jar" ? output : word) : [`./${output}`, ...words.slice(1)]
}

/** The command that starts the program, as a shell takes it, in its folder. */
export const startCommand = (plan: BuildPlan): string => {
  const words = plan.start === undefined ? [] : wordsOf(plan, plan.start.value)
  return within(plan.output === undefined ? plan.folder : plan.root, words.map((word) => shellWord(clip(word, 400))).join(" "))
}

/** A command in another folder. */
export const within = (folder: string, command: string): string => folder === "." ? command : `cd ${shellPath(folder)} && ${command}`

/** Variables of a plan: what each is where nobody sets it. */
export const variableRows = ({ variables }: BuildPlan): ReadonlyArray<Row> =>
  variables.flatMap(({ evidence, fallback, name, required }) =>
    rowOf([code(name), fallback === null ? required ? "must be set" : "may be set" : code(fallback)], evidence)
  )
