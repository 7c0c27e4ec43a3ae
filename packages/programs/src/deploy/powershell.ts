/** deploy.ps1 and deploy-cloudflare.ps1: what the scripts of the shell do, for PowerShell 7.4 and later. */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact } from "../claims/model.ts"
import { contextOf, NO_PACKAGE } from "../delivery/dockerfile.ts"
import type { Variable } from "../delivery/model.ts"
import { plainName } from "../delivery/packages.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { pagesOf } from "./pages.ts"
import { healthOf, obstaclesOf, type Runnable, runnableOf } from "./targets.ts"

/** A text of PowerShell in which nothing is replaced: also the quotes of typographers end one. */
export const powershellText = (text: string): string => `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/gu, "$&$&")}'`

/** The first command that fails ends the script, also one of another program. */
const STOPPING: ReadonlyArray<CodeLine> = [
  { text: "$ErrorActionPreference = 'Stop'" },
  { text: "$PSNativeCommandUseErrorActionPreference = $true" }
]

const refusing = (project: Project): Artifact => {
  const plan = planOf(project)
  if (plan === undefined) return codeFile([...comments("#", [absence(NO_PACKAGE, project.searched())]), { text: "exit 1" }])
  return codeFile([
    ...obstaclesOf(plan).map(({ evidence, text }) => citedLine("#", `[Console]::Error.WriteLine(${powershellText(text)})`, evidence)),
    { text: "exit 1" }
  ])
}

const required = (variables: ReadonlyArray<Variable>): ReadonlyArray<CodeLine> =>
  variables.filter((one) => one.required).map(({ evidence, name }) =>
    citedLine("#", `if (-not $env:${name}) { throw ${powershellText(`${name} is not set`)} }`, evidence)
  )

const answering = ({ name, port, variables }: Runnable, path: string): ReadonlyArray<CodeLine> => {
  const { number } = port.value
  const passed = variables.filter((one) => one.required).map((one) => ` --env ${one.name}`).join("")
  return [
    citedLine("#", `$container = docker run --detach --publish ${number}:${number}${passed} $Image`, port.evidence),
    { text: "try {" },
    {
      text: `  $null = Invoke-WebRequest -Uri ${
        powershellText(`http://localhost:${number}${path}`)
      } -SkipHttpErrorCheck -MaximumRetryCount 30 -RetryIntervalSec 1`
    },
    { text: "} finally {" },
    { text: `  $null = docker rm --force $container # ${name}` },
    { text: "}" }
  ]
}

export const deployInPowerShell = (project: Project): Artifact => {
  const plan = runnableOf(project)
  if (plan === undefined) return refusing(project)
  const health = healthOf(project)
  return codeFile([
    { text: `param([Parameter(Mandatory, HelpMessage = ${powershellText(`Image of ${plan.name}, with its registry`)})][string]$Image)` },
    ...STOPPING,
    { text: "Set-Location (Join-Path $PSScriptRoot '..')" },
    ...required(plan.variables),
    citedLine(
      "#",
      `docker build --file deploy/Dockerfile --tag $Image ${powershellText(contextOf(plan).replace(/^-/u, "./-"))}`,
      plan.start.evidence
    ),
    ...answering(plan, health === undefined ? "/" : health.value.path),
    { text: "docker push $Image" }
  ])
}

const CONFIG = "--config wrangler.containers.toml"

const containers = (plan: Runnable): ReadonlyArray<CodeLine> => [
  {
    text: `param([Parameter(Mandatory, HelpMessage = ${
      powershellText(`Day of the Workers runtime that ${plan.name} keeps to, as YYYY-MM-DD`)
    })][string]$CompatibilityDate)`
  },
  ...STOPPING,
  { text: "Set-Location $PSScriptRoot" },
  ...required(plan.variables),
  citedLine("#", `npx wrangler deploy ${CONFIG} --compatibility-date $CompatibilityDate`, plan.port.evidence),
  ...plan.variables.filter((one) => one.required).map(({ evidence, name }) =>
    citedLine("#", `$env:${name} | npx wrangler secret put ${name} ${CONFIG}`, evidence)
  )
]

export const cloudflareInPowerShell = (project: Project): Artifact => {
  const [plan, pages] = [runnableOf(project), pagesOf(project)]
  if (plan !== undefined) return codeFile(containers(plan))
  if (pages === undefined) return refusing(project)
  const name = plainName(project.description.project_name)
  return codeFile([
    ...STOPPING,
    { text: "Set-Location (Join-Path $PSScriptRoot '..')" },
    ...pages.build === undefined ? [] : [citedLine("#", pages.build.value, pages.build.evidence)],
    citedLine("#", `npx wrangler pages deploy ${powershellText(pages.folder.value)} --project-name ${name}`, pages.folder.evidence)
  ])
}
