/** What a server of the Model Context Protocol for the repository would be made of. */
import type { ProgramMaker } from "../program.ts"
import { buildArtifacts } from "./build-artifacts.ts"
import { capabilityRegistry } from "./capability-registry.ts"
import { connectorMap } from "./connector-map.ts"
import { fintechSchema, fintechSurface } from "./fintech.ts"
import { implementationArtifacts } from "./implementation.ts"
import { mcpConfig } from "./mcp-config.ts"
import { monorepoStructure } from "./monorepo-structure.ts"
import { projectSetup } from "./project-setup.ts"
import { protocolSpec } from "./protocol-spec.ts"
import { registryMetadata } from "./registry-metadata.ts"
import { serverManifest } from "./server-manifest.ts"
import { serverReadme } from "./server-readme.ts"
import { packageTemplate, packageTsconfig, rootTemplate, rootTsconfig } from "./templates.ts"
import { testingArtifacts } from "./testing.ts"
import { specTypes } from "./types.ts"

export const mcp: ProgramMaker = {
  name: "mcp",
  artifacts: [
    { path: "mcp-config.json", make: mcpConfig },
    { path: "mcp-registry-metadata.json", make: registryMetadata },
    { path: "protocol-spec.md", make: protocolSpec },
    { path: "spec.types.ts", make: specTypes },
    { path: "mcp/README.md", make: serverReadme },
    { path: "mcp/project-setup.md", make: projectSetup },
    { path: "mcp/build-artifacts.md", make: buildArtifacts },
    { path: "mcp/package-json.root.template.json", make: rootTemplate },
    { path: "mcp/package-json.package.template.json", make: packageTemplate },
    { path: "mcp/tsconfig.root.template.json", make: rootTsconfig },
    { path: "mcp/tsconfig.package.template.json", make: packageTsconfig },
    { path: "mcp/monorepo-structure.md", make: monorepoStructure },
    { path: "mcp/core-implementation-artifacts.md", make: implementationArtifacts },
    { path: "mcp/testing-documentation-polish-artifacts.md", make: testingArtifacts },
    { path: "connector-map.yaml", make: connectorMap },
    { path: "capability-registry.json", make: capabilityRegistry },
    { path: "mcp/fintech-mcp-surface-package.md", make: fintechSurface },
    { path: "mcp/fintech-domain-schema.yaml", make: fintechSchema },
    { path: "server-manifest.yaml", make: serverManifest }
  ]
}
