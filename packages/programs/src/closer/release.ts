/** .github/workflows/release.yml: a tag of a version is checked, and published where the repository has all that the place requires. */
import { citedLine, codeFile, type CodeLine, comments, shellPath } from "../claims/comments.ts"
import { absence, type Artifact, type Source } from "../claims/model.ts"
import type { BuildPlan } from "../delivery/model.ts"
import { plansOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import { pathOf } from "../map/uses.ts"
import { fullChecks } from "../skills/checks.ts"
import { type Listed, listedOf } from "./marketplaces.ts"
import { listingsOf } from "./product.ts"
import { byManual, installSteps, nameLine, runStep, setupSteps, usesStep, yamlText } from "./workflow.ts"

interface Offered {
  readonly project: Project
  /** The manifest or the Dockerfile. */
  readonly path: string
  readonly folder: string
  readonly plan: BuildPlan | undefined
}

interface Publication {
  readonly id: string
  readonly permissions: ReadonlyArray<string>
  readonly steps: (offered: Offered) => ReadonlyArray<CodeLine>
}

/** A secret that somebody has to store; without it nothing is published. */
const secret = (variable: string, name: string, source: Source): ReadonlyArray<CodeLine> => [
  { text: "        env:" },
  byManual(`          ${variable}: \${{ secrets.${name} }}`, source)
]

const NPM: Source = {
  name: "GitHub",
  url: "https://docs.github.com/en/actions/tutorials/publish-packages/publish-nodejs-packages"
}

const npm: Publication = {
  id: "npm",
  permissions: ["contents: read"],
  steps: ({ folder, plan, project }) => [
    ...plan === undefined ? [] : [
      ...setupSteps(project, plan, [byManual("registry-url: https://registry.npmjs.org", NPM).text]),
      ...installSteps(project, plan),
      ...plan.build === undefined ? [] : runStep(plan.build.value, folder, plan.build.evidence)
    ],
    ...runStep("npm publish", folder),
    ...secret("NODE_AUTH_TOKEN", "NPM_TOKEN", NPM)
  ]
}

const pypi: Publication = {
  id: "pypi",
  permissions: ["contents: read", byManual("id-token: write", { name: "PyPI", url: "https://docs.pypi.org/trusted-publishers/" }).text],
  steps: ({ folder, plan, project }) => [
    ...plan === undefined ? [] : setupSteps(project, plan),
    ...runStep("pip install build", folder),
    ...runStep("python -m build", folder),
    usesStep(project, "pypa/gh-action-pypi-publish"),
    { text: "        with:" },
    { text: `          packages-dir: ${yamlText(folder === "." ? "dist" : `${folder}/dist`)}` }
  ]
}

const crate: Publication = {
  id: "crates-io",
  permissions: ["contents: read"],
  steps: ({ folder }) => [
    ...runStep("cargo publish", folder),
    ...secret("CARGO_REGISTRY_TOKEN", "CARGO_REGISTRY_TOKEN", {
      name: "Cargo",
      url: "https://doc.rust-lang.org/cargo/reference/publishing.html"
    })
  ]
}

/** In GitHub's own registry: which namespace of another one the image belongs to is not known. Its names have no capitals. */
const TAG = "\"ghcr.io/${GITHUB_REPOSITORY,,}:$GITHUB_REF_NAME\""

const REGISTRY: Source = {
  name: "GitHub",
  url: "https://docs.github.com/en/packages/working-with-a-github-packages-registry/working-with-the-container-registry"
}

const image: Publication = {
  id: "image",
  permissions: ["contents: read", "packages: write"],
  steps: ({ folder, path }) => [
    byManual(`      - run: echo "$TOKEN" | docker login ghcr.io --username "$GITHUB_ACTOR" --password-stdin`, REGISTRY),
    { text: "        env:" },
    { text: "          TOKEN: ${{ github.token }}" },
    byManual(`      - run: ${yamlText(`docker build --tag ${TAG} --file ${shellPath(path)} ${shellPath(folder)}`)}`, REGISTRY),
    byManual(`      - run: docker push ${TAG}`, REGISTRY)
  ]
}

const PUBLICATIONS: ReadonlyMap<string, Publication> = new Map([
  ["npm", npm],
  ["PyPI", pypi],
  ["crates.io", crate],
  ["Docker Hub", image]
])

/**
 * Where the caller names no marketplace: programs often have a manifest of npm that nobody means to publish, and members that only a
 * published package needs say who does; an image is published of a repository that has a Dockerfile itself.
 */
const isMeant = (project: Project, name: string, path: string): boolean => {
  if (project.description.packaging?.target_marketplaces !== undefined) return true
  if (name === "Docker Hub") return project.factsOf(path, "file").length > 0
  const listings = listingsOf(project, path)
  return name !== "npm" || ["files", "publishConfig", "exports", "bin"].some((member) => listings.has(member))
}

const jobOf = (project: Project, { marketplace: { name }, offer }: Listed, checked: boolean): ReadonlyArray<CodeLine> => {
  const publication = PUBLICATIONS.get(name)
  if (publication === undefined || offer === undefined || offer.refused !== undefined || !isMeant(project, name, offer.path)) return []
  if (offer.required.some(({ found }) => found === undefined)) return []
  const said = offer.required.flatMap(({ found }) => found?.fact ?? []).filter((one) => pathOf(one) === offer.path)
  const [first] = [...said, ...project.factsOf(offer.path, "file")]
  if (first === undefined) return []
  const folder = folderOf(offer.path)
  const plan = plansOf(project).find((one) => one.folder === folder)
  return [
    citedLine("#", `  ${publication.id}:`, [first]),
    ...checked ? [{ text: "    needs: checks" }] : [],
    { text: "    runs-on: ubuntu-latest" },
    { text: "    permissions:" },
    ...publication.permissions.map((text) => ({ text: `      ${text}` })),
    { text: "    steps:" },
    usesStep(project, "actions/checkout"),
    ...publication.steps({ project, path: offer.path, folder, plan })
  ]
}

const CHECKS: ReadonlyArray<CodeLine> = [
  { text: "  checks:" },
  { text: "    permissions:" },
  { text: "      contents: read" },
  { text: "    uses: ./.github/workflows/ci.yml" }
]

export const releaseWorkflow = (project: Project): Artifact => {
  const checked = fullChecks(project).length > 0
  const jobs = listedOf(project).flatMap((listed) => jobOf(project, listed, checked))
  const head = [
    nameLine(project, "release"),
    { text: "on: { push: { tags: [\"v*\"] } }" },
    { text: "permissions: {}" },
    { text: "jobs:" }
  ]
  if (jobs.length === 0) {
    return codeFile([
      ...comments("#", [absence("Nothing is published: no package or image has all that a registry requires.", project.searched())]),
      ...head,
      { text: "  release:" },
      { text: "    runs-on: ubuntu-latest" },
      { text: "    steps: [{ run: echo no release }]" }
    ])
  }
  return codeFile([...head, ...checked ? CHECKS : [], ...jobs])
}
