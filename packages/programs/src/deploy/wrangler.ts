/** wrangler.pages.toml and wrangler.containers.toml: settings of Cloudflare's wrangler. */
import { posix } from "node:path"
import { citedLine, codeFile, comments } from "../claims/comments.ts"
import { absence, type Artifact, rule } from "../claims/model.ts"
import { contextOf, NO_PACKAGE } from "../delivery/dockerfile.ts"
import { plainName } from "../delivery/packages.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { NO_PAGES, pagesOf } from "./pages.ts"
import { obstaclesOf, runnableOf } from "./targets.ts"
import { namesOf } from "./worker.ts"

/** A basic string of TOML has the escapes of JSON. */
const text = (value: string): string => JSON.stringify(value)

const PLACE = rule("Pages reads these settings as `wrangler.toml` in the root.", {
  name: "Cloudflare Pages, configuration",
  url: "https://developers.cloudflare.com/pages/functions/wrangler-configuration/"
})

export const wranglerPages = (project: Project): Artifact => {
  const pages = pagesOf(project)
  if (pages === undefined) return codeFile(comments("#", [absence(NO_PAGES, project.searched())]))
  return codeFile([
    ...comments("#", [PLACE]),
    ...pages.source === undefined ? [] : comments("#", [rule(`\`${pages.folder.value}\` is where the build writes.`, pages.source)]),
    { text: `name = ${text(plainName(project.description.project_name))}` },
    citedLine("#", `pages_build_output_dir = ${text(`./${pages.folder.value}`)}`, pages.folder.evidence)
  ])
}

/** Without a day of compatibility, which `deploy-cloudflare` asks for. */
export const wranglerContainers = (project: Project): Artifact => {
  const plan = runnableOf(project)
  const found = planOf(project)
  if (plan === undefined) {
    return codeFile(
      found === undefined
        ? comments("#", [absence(NO_PACKAGE, project.searched())])
        : obstaclesOf(found).map(({ evidence, text: why }) => citedLine("#", `# No container: ${why}.`, evidence))
    )
  }
  const { binding, className } = namesOf(plan)
  const values = plan.variables.flatMap(({ evidence, fallback, name }) =>
    fallback === null || name === plan.port.value.variable ? [] : [citedLine("#", `${name} = ${text(fallback)}`, evidence)]
  )
  return codeFile([
    citedLine("#", `name = ${text(plan.name)}`, plan.manifest),
    { text: `main = "worker.ts"` },
    ...values.length === 0 ? [] : [{ text: "" }, { text: "[vars]" }, ...values],
    { text: "" },
    { text: "[[containers]]" },
    { text: `class_name = ${text(className)}` },
    citedLine("#", `image = "./Dockerfile"`, plan.start.evidence),
    { text: `image_build_context = ${text(posix.relative("deploy", contextOf(plan)))}` },
    { text: "" },
    { text: "[[durable_objects.bindings]]" },
    { text: `name = ${text(binding)}` },
    { text: `class_name = ${text(className)}` },
    { text: "" },
    { text: "[[migrations]]" },
    { text: `tag = "v1"` },
    { text: `new_sqlite_classes = [${text(className)}]` }
  ])
}
