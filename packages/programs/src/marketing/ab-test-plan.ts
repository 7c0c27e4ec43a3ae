/** ab-test-plan.md: what is switched already, what could vary, and the event that would tell. */
import { absence, type Artifact, type Block, question } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { memo } from "../map/memo.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { code, listed, namesOf } from "../map/words.ts"
import { statementsOf } from "../wording/statements.ts"
import { eventsOf } from "./steps.ts"

const MOST = 20

type Flag = Fact<"flag">

const flagsOf: (project: Project) => ReadonlyArray<readonly [string, ReadonlyArray<Flag>]> = memo((
  project
) => [...Map.groupBy(project.facts("flag").filter((flag) => !isTestFile(project, pathOf(flag))), ({ subject }) => subject)])

/** Events of the files that ask for the flag: what could tell both sides apart. */
const eventsNear = (project: Project, flags: ReadonlyArray<Flag>): ReadonlyArray<Fact<"tracking">> =>
  [...new Set(flags.map(pathOf))].flatMap((path) => project.factsOf(path, "tracking"))

const switched = (project: Project): ReadonlyArray<Block> =>
  table(
    ["flag", "asked in", "events there"],
    flagsOf(project).slice(0, MOST).flatMap(([name, flags]) => {
      const within = [...new Set(flags.map((flag) => flag.value.within ?? pathOf(flag)))]
      const events = eventsNear(project, flags)
      return rowOf([code(name), listed(within, 3), events.length === 0 ? "–" : listed(namesOf(events), 3)], [...flags, ...events])
    })
  )

const open = (project: Project): ReadonlyArray<Block> =>
  flagsOf(project).filter(([, flags]) => eventsNear(project, flags).length === 0).slice(0, 3)
    .map(([name]) => question(`what tells whether ${code(name)} pays?`))

interface Text {
  readonly text: string
  readonly fact: AnyFact
}

/** The first words that somebody reads, and what they are asked to press. */
const texts = (project: Project): ReadonlyArray<Text> =>
  project.facts("element").filter((one) =>
    /^(?:h1|button)$/u.test(one.subject) && one.value.text !== "" && !isTestFile(project, pathOf(one)) && !/\{\{|<%/u.test(one.value.text)
  )
    .map((fact) => ({ text: `${fact.subject}: ${code(clip(fact.value.text, 90))}`, fact }))

/** Two of the project's own sentences that say the same in other words are a first pair. */
const pairs = (project: Project): ReadonlyArray<Block> => {
  const [one, other] = statementsOf(project)
  return one === undefined || other === undefined || one.text === other.text
    ? []
    : claimOf(`${code(clip(one.text, 140))} / ${code(clip(other.text, 140))}`, [one.fact, other.fact])
}

/** Without an event nothing tells one variant from another. */
const unmeasured = (project: Project): ReadonlyArray<Block> =>
  eventsOf(project).length > 0 ? [] : [question(`what counts as success of ${project.description.project_name}?`)]

export const abTestPlan = (project: Project): Artifact => {
  const variable = [...pairs(project), ...texts(project).slice(0, MOST).flatMap(({ fact, text }) => claimOf(text, [fact]))]
  return page(`${project.description.project_name}: tests of variants`, [
    {
      title: "Switched",
      blocks: [...switched(project), ...open(project)],
      none: absence("No flag.", project.searched({ roles: ["source", "page"] }))
    },
    { title: "Could vary", blocks: variable.length === 0 ? [] : [...variable, ...unmeasured(project)] }
  ])
}
