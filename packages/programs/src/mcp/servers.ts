/** Signs that a repository has a server or a client of the Model Context Protocol already. */
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"

const PACKAGES: ReadonlySet<string> = new Set([
  "@modelcontextprotocol/sdk",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/client",
  "fastmcp",
  "mcp",
  "mcp-handler",
  "rmcp",
  "github.com/mark3labs/mcp-go",
  "github.com/modelcontextprotocol/go-sdk"
])

/** Dependencies that speak the protocol. */
export const protocolPackages = (project: Project): ReadonlyArray<Fact<"dependency">> =>
  project.facts("dependency").filter(({ subject }) => PACKAGES.has(subject))

export interface RunnableServer {
  readonly name: string
  /** Of npm's package, whose `bin` starts it. */
  readonly manifest: Fact<"manifest">
  readonly dependency: Fact<"dependency">
}

/** Packages of npm that can be published, have a `bin` and depend on the protocol at run time. */
export const runnableServers = (project: Project): ReadonlyArray<RunnableServer> =>
  protocolPackages(project).filter(({ value: { ecosystem, scope } }) => ecosystem === "npm" && scope === "runtime").flatMap(
    (dependency) => {
      const { path } = dependency.evidence[0]
      return project.factsOf(path, "manifest")
        .filter(({ value }) => !value.private && value.entries.some(({ name }) => name === "bin" || name.startsWith("bin.")))
        .map((manifest) => ({ name: manifest.subject, manifest, dependency }))
    }
  )

/** The manifest nearest to the root. */
export const rootManifest = (project: Project): Fact<"manifest"> | undefined =>
  project.facts("manifest").toSorted((one, other) => depth(one) - depth(other))[0]

const depth = ({ evidence: [{ path }] }: Fact): number => path.split("/").length
