/** Lists that are asked for by a word: tools by keyword, ways to install by platform. */
import { findTools } from "@svc/tools/discovery/find"
import { installations } from "@svc/tools/discovery/install"
import { manifestOf } from "@svc/tools/discovery/manifest"
import { type Document, type DocumentFacts, json, type Make } from "./document.ts"

/** All tools in their order without a word, else those that fit it, best first. */
export const toolSearch = (q: string): Make => ({ tools }) => {
  const matches = q.trim() === "" ? tools.map((item) => ({ item, score: 1 })) : findTools(q, tools)
  return json({
    query: q,
    total: matches.length,
    tools: matches.map(({ item: { auth, category, description, name, price_cents, status }, score }) => ({
      name,
      score,
      description,
      price_cents,
      auth,
      category,
      status
    }))
  })
}

export const install: Make = ({ site, tools }) => json(manifestOf(site, tools))

/** Undefined for a platform that nothing is known of. */
export const installFor = (platform: string) => ({ site, tools }: DocumentFacts): Document | undefined =>
  installations(site).some((one) => one.platform === platform) ? json(manifestOf(site, tools, platform)) : undefined
