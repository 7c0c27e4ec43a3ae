/** An endpoint that takes purchases of agents within a budget, for the framework that the project has. */
import { codeFile, comments } from "../../claims/comments.ts"
import { code } from "../../claims/inline.ts"
import { absence, type Artifact, claim, type Evidence, evidenceOf } from "../../claims/model.ts"
import type { AnyFact } from "../../facts/model.ts"
import type { Project } from "../../facts/project.ts"
import { dependenciesOf } from "../../map/dependencies.ts"
import { routesOf } from "../../map/uses.ts"
import { inSources, searchedSources } from "../places.ts"
import { go } from "./go.ts"
import type { Guard } from "./guard.ts"
import { javascript } from "./javascript.ts"
import { python } from "./python.ts"

export interface EngineerArtifact {
  readonly path: string
  readonly artifact: Artifact
}

const FOLDER = "agent-endpoint"

interface Form {
  readonly path: string
  readonly mark: "#" | "//"
  readonly text: (guard: Guard) => string
}

const inJavaScript = (framework: Parameters<typeof javascript>[0], path = "purchases.mjs"): Form => ({
  path,
  mark: "//",
  text: (guard) => javascript(framework, guard)
})
const inPython = (framework: Parameters<typeof python>[0]): Form => ({
  path: "purchases.py",
  mark: "#",
  text: (guard) => python(framework, guard)
})
const inGo = (framework: Parameters<typeof go>[0]): Form => ({ path: "purchases.go", mark: "//", text: (guard) => go(framework, guard) })

/** By the names that routes and packages have for them. The first that the project has counts. */
export const forms = {
  express: inJavaScript("express"),
  fastify: inJavaScript("fastify"),
  hono: inJavaScript("hono"),
  next: inJavaScript("next", "app/agent/purchases/route.js"),
  fastapi: inPython("fastapi"),
  flask: inPython("flask"),
  gin: inGo("gin"),
  "net/http": inGo("net/http"),
  http: inJavaScript("http")
} as const satisfies Readonly<Record<string, Form>>

type Framework = keyof typeof forms

const PACKAGES: Readonly<Partial<Record<Framework, string>>> = { gin: "github.com/gin-gonic/gin" }

/** Where the project shows that it has the framework: routes, then imports. */
const evidenceFor = (project: Project, framework: Framework): Evidence | undefined => {
  const routes: ReadonlyArray<AnyFact> = inSources(project, routesOf(project)).filter(({ value }) => value.framework === framework)
  const imports = dependenciesOf(project).filter(({ name }) => name === (PACKAGES[framework] ?? framework)).flatMap((one) =>
    inSources(project, one.imports)
  )
  return evidenceOf([...routes, ...imports])
}

const frameworks = Object.keys(forms) as ReadonlyArray<Framework>

export const endpoint = (project: Project, guard: Guard): EngineerArtifact => {
  const found = frameworks.flatMap((framework) => {
    const evidence = evidenceFor(project, framework)
    return evidence === undefined ? [] : [{ framework, evidence }]
  })[0]
  const { mark, path, text } = forms[found?.framework ?? "http"]
  const head = found === undefined
    ? absence("No framework that serves HTTP, so plain Node.", searchedSources(project))
    : claim(`For ${found.framework}: ${code(found.evidence[0].subject)}`, ...found.evidence)
  return {
    path: `${FOLDER}/${path}`,
    artifact: codeFile([...comments(mark, [head]), ...text(guard).trimEnd().split("\n").map((line) => ({ text: line }))])
  }
}
