/** Members of manifests that registries and marketplaces show. */
import { parseJson } from "@svc/kernel/values/json"
import type { Fact } from "../facts/model.ts"

export const listedValue = ({ value: { json } }: Fact<"listing">): unknown => parseJson(json)

/** Its text, the items of a list, or its JSON. */
export const listedText = (fact: Fact<"listing">): string => {
  const value = listedValue(fact)
  if (typeof value === "string") return value
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value.join(", ") : fact.value.json
}
