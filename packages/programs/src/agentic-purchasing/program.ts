/** What an agent needs to know to buy from the project, and its owner to let it. */
import type { ProgramMaker } from "../program.ts"
import { ap2Samples } from "./ap2-samples.ts"
import { checkoutFlow } from "./checkout-flow.ts"
import { commerceRegistry } from "./commerce-registry.ts"
import { negotiationRules } from "./negotiation-rules.ts"
import { playbook } from "./playbook.ts"
import { productSchema } from "./product-schema.ts"

export const agenticPurchasing: ProgramMaker = {
  name: "agentic-purchasing",
  artifacts: [
    { path: "agent-purchasing-playbook.md", make: playbook },
    { path: "product-schema.json", make: productSchema },
    { path: "checkout-flow.md", make: checkoutFlow },
    { path: "negotiation-rules.md", make: negotiationRules },
    { path: "commerce-registry.json", make: commerceRegistry },
    { path: "ap2-interop-samples.json", make: ap2Samples }
  ]
}
