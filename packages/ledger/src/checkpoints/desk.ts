/** How people look at the checkpoints of the ledger. */
import { viewOf } from "@svc/kernel/resource/view"
import { CheckpointsGroup } from "./api.ts"
import { CheckpointJson } from "./model.ts"

export const ledgerCheckpointsView = viewOf(CheckpointsGroup, CheckpointJson, {
  name: "ledger_checkpoints",
  section: "books",
  columns: [
    { field: "created_at", as: "time" },
    { field: "last_sequence_id", as: "number" },
    { field: "tree_size", as: "number" },
    { field: "key_id", as: "id" }
  ],
  filters: [],
  facts: [
    { field: "created_at", as: "time" },
    { field: "last_sequence_id", as: "number" },
    { field: "head_hash", as: "id" },
    { field: "events_root", as: "id" },
    { field: "leaf_index", as: "number" },
    { field: "tree_size", as: "number" },
    { field: "root_hash", as: "id" },
    { field: "path", as: "value" },
    { field: "key_id", as: "id" },
    { field: "signature", as: "id" },
    { field: "id", as: "id" }
  ]
})
