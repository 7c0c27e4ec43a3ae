/** Planned: verify who made an asset, by its signed manifest. */
import { planned } from "@svc/tool-kit/planned"

export const svc_manifest_verify = planned({
  name: "svc_manifest_verify",
  title: "Verify a manifest",
  will: "verify who signed an asset's manifest",
  provider: { name: "Content Credentials Verify", url: "https://contentcredentials.org/verify" }
})
