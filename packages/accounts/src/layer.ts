/** What this package brings: who the merchants are, and with which keys they call. */
import { and } from "@svc/kernel/part"
import { pipe } from "effect"
import { apiKeys } from "./api-keys/resource.ts"
import { accounts as accountsPart } from "./accounts/resource.ts"
import { testClocks } from "./test-clocks/resource.ts"

export const accounts = pipe(apiKeys, and(accountsPart), and(testClocks))
