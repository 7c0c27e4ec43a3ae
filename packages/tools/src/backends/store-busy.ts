/** What a caller is told while other calls of the account write its snapshots. */
import type { StoreBusy } from "@svc/stores/model"
import { NotConfigured } from "@svc/tool-kit/backend"

export const storeBusy = ({ message }: StoreBusy): NotConfigured =>
  new NotConfigured({ reason: "store_busy", detail: `${message} The call was not charged.`, remediation: "Call again in some seconds." })
