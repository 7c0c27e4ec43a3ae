/** What a product needs to leave its repository: licence, manifests, image, workflows, and proof of what was handed over. */
import { memo } from "../map/memo.ts"
import type { ArtifactMaker, ProgramMaker } from "../program.ts"
import { ciWorkflow } from "./ci.ts"
import { compose, dockerfile } from "./container.ts"
import { distributable } from "./distributable.ts"
import { license } from "./license.ts"
import { dockerHubRepository, githubMarketplaceListing } from "./listings.ts"
import { makefile } from "./makefile.ts"
import { editorExtension, npmPackage, unrealPlugin } from "./manifests.ts"
import { packagingReport } from "./packaging-report.ts"
import { packagingReadme } from "./readme.ts"
import { releaseWorkflow } from "./release.ts"
import { attestation, merkleProof } from "./sealed.ts"

const before: ReadonlyArray<ArtifactMaker> = [
  { path: "packaging/README.md", make: packagingReadme },
  { path: "packaging/LICENSE", make: license },
  { path: "Dockerfile", make: dockerfile },
  { path: "docker-compose.yml", make: compose },
  { path: ".github/workflows/ci.yml", make: ciWorkflow },
  { path: ".github/workflows/release.yml", make: releaseWorkflow },
  { path: "packaging/manifests/npm-package.json", make: npmPackage },
  { path: "packaging/manifests/unreal.uplugin", make: unrealPlugin },
  { path: "packaging/manifests/vscode-extension.json", make: editorExtension },
  { path: "packaging/manifests/dockerhub-repository.md", make: dockerHubRepository },
  { path: "packaging/manifests/github-marketplace-listing.md", make: githubMarketplaceListing }
]

const after: ReadonlyArray<ArtifactMaker> = [
  { path: "packaging-report.md", make: packagingReport },
  { path: "DISTRIBUTABLE.md", make: distributable },
  { path: "Makefile", make: makefile }
]

/** Each is made once, for itself and for what seals it. */
const once = ({ make, path }: ArtifactMaker): ArtifactMaker => ({ path, make: memo(make) })

const [made, rest] = [before.map(once), after.map(once)]
const sealed = [...made, ...rest]

export const closer: ProgramMaker = {
  name: "closer",
  artifacts: [
    ...made,
    { path: "packaging/attestation/attestation.json", make: attestation(sealed) },
    { path: "packaging/attestation/merkle-proof.json", make: merkleProof(sealed) },
    ...rest
  ]
}
