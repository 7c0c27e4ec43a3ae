/** Planned: list what an avatar or a mesh is made of. */
import { planned } from "@svc/tool-kit/planned"

export const svc_inspect = planned({
  name: "svc_inspect",
  title: "Inspect a mesh",
  will: "list the parts of an avatar or mesh",
  provider: { name: "glTF Transform", url: "https://gltf-transform.dev/" }
})
