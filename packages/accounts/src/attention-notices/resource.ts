/** What notices bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { migrations } from "./migrations.ts"
import { AttentionNoticeRepository } from "./repository.ts"
import { AttentionNotices } from "./service.ts"

export const attentionNotices = {
  ...nothing,
  services: AttentionNotices.layer.pipe(Layer.provide(AttentionNoticeRepository.layer)),
  migrations
}
