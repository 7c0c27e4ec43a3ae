/** Planned: check an asset against the rules of the platforms that show it. */
import { planned } from "@svc/tool-kit/planned"

export const platform_compliance_check = planned({
  name: "platform_compliance_check",
  title: "Check platform rules",
  will: "check an asset against the rules of the platforms that show it",
  provider: { name: "Khronos 3D Commerce", url: "https://www.khronos.org/3dcommerce/" }
})
