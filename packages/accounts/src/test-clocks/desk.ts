/** How people look at test clocks. */
import { viewOf } from "@svc/kernel/resource/view"
import { TestClocksGroup } from "./api.ts"
import { TestClock } from "./model.ts"

export const testClocksView = viewOf(TestClocksGroup, TestClock, {
  name: "test_clocks",
  section: "developers",
  columns: [
    { field: "id", as: "id" },
    { field: "now", as: "time" },
    { field: "status", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: [],
  facts: [
    { field: "now", as: "time" },
    { field: "status", as: "state" },
    { field: "stopped.reason", as: "state" },
    { field: "stopped.to", as: "time" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  actions: [
    { endpoint: "create", on: "all", asks: [] },
    {
      endpoint: "advance",
      on: "one",
      when: { field: "status", in: ["ready"] },
      asks: [{ field: "to", as: "time", initially: "now" }],
      final: true
    },
    { endpoint: "cancel", on: "one", when: { field: "status", in: ["advancing"] }, asks: [] },
    { endpoint: "remove", on: "one", when: { field: "status", in: ["ready"] }, asks: [], final: true }
  ]
})
