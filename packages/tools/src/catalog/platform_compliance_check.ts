/** Planned: check an asset against the rules of the platforms that show it. */
import { planned } from "@svc/tool-kit/planned"

export const platform_compliance_check = planned({
  name: "platform_compliance_check",
  title: "Platform rules",
  will: "check an asset against platform rules",
  provider: { name: "Khronos 3D Commerce", url: "https://www.khronos.org/3dcommerce/" }
})
