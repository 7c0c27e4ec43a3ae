/** Planned: check the files of an avatar or a mesh against their format. */
import { planned } from "@svc/tool-kit/planned"

export const svc_validate = planned({
  name: "svc_validate",
  title: "Validate a mesh",
  will: "check avatar or mesh files against their format",
  provider: { name: "Khronos glTF Validator", url: "https://github.khronos.org/glTF-Validator/" }
})
