/** What is needed to run the project elsewhere: a container, Render, Cloudflare, and whether it is ready for them. */
import { compose } from "../delivery/compose.ts"
import { dockerfile, dockerignore } from "../delivery/dockerfile.ts"
import type { ProgramMaker } from "../program.ts"
import { launchTemplate } from "./launch.ts"
import { cloudflareInPowerShell, deployInPowerShell } from "./powershell.ts"
import { qualificationReport } from "./qualification-report.ts"
import { render } from "./render.ts"
import { cloudflareScript, deployScript } from "./scripts.ts"
import { worker } from "./worker.ts"
import { wranglerContainers, wranglerPages } from "./wrangler.ts"

export const deploy: ProgramMaker = {
  name: "deploy",
  artifacts: [
    { path: "deploy/Dockerfile", make: (project) => dockerfile(project, { hasIgnoreFile: true }) },
    { path: "deploy/Dockerfile.dockerignore", make: dockerignore },
    {
      path: "deploy/docker-compose.dev.yml",
      make: (project) => compose(project, { folder: "deploy", dockerfile: "deploy/Dockerfile", develops: true })
    },
    { path: "deploy/render.yaml", make: render },
    { path: "deploy/deploy.sh", make: deployScript },
    { path: "deploy/deploy.ps1", make: deployInPowerShell },
    { path: "deploy/vscode-launch.json.template", make: launchTemplate },
    { path: "deploy/wrangler.pages.toml", make: wranglerPages },
    { path: "deploy/wrangler.containers.toml", make: wranglerContainers },
    { path: "deploy/worker.ts", make: worker },
    { path: "deploy/deploy-cloudflare.sh", make: cloudflareScript },
    { path: "deploy/deploy-cloudflare.ps1", make: cloudflareInPowerShell },
    { path: "deploy/deploy-qualification-report.md", make: qualificationReport }
  ]
}
