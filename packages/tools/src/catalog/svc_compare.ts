/** Planned: say where two meshes differ. */
import { planned } from "@svc/tool-kit/planned"

export const svc_compare = planned({
  name: "svc_compare",
  title: "Compare meshes",
  will: "say where two meshes differ",
  provider: { name: "CloudCompare", url: "https://www.cloudcompare.org/" }
})
