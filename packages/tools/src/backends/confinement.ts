/** What a caller is told where nothing does the work yet: no wall lets it in, or its packages are not there. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import type { BeingFetched, NotFetched } from "@svc/platform/fetched/model"
import { NotConfigured } from "@svc/tool-kit/backend"

const installing = (detail: string) => new NotConfigured({ reason: "backend_installing", detail, remediation: "Call again in a minute." })

export const notConfigured = (error: BeingFetched | NotFetched | NoWall | SandboxBusy): NotConfigured => {
  const detail = `${error.message} The call was not charged.`
  switch (error._tag) {
    case "NoWall":
    case "NotFetched":
      return "isComing" in error && error.isComing === true
        ? installing(detail)
        : new NotConfigured({ reason: "backend_absent", detail, remediation: error.remedy })
    case "BeingFetched":
      return installing(detail)
    case "SandboxBusy":
      return new NotConfigured({ reason: "sandbox_busy", detail, remediation: "Call again in some seconds." })
  }
}
