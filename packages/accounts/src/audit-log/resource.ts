/** What the audit log brings to the service. Its table is the kernel's. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { AuditLogRepository } from "./repository.ts"
import { AuditLog } from "./service.ts"

export const auditLog = {
  ...nothing,
  services: AuditLog.layer.pipe(Layer.provide(AuditLogRepository.layer)),
  routes: http.layer
}
