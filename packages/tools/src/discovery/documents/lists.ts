/** Lists that are asked for by a word: tools by keyword, ways to install by platform. */
import { installations } from "../install.ts"
import { manifestOf } from "../manifest.ts"
import { findTools } from "../find.ts"
import { type Document, type Facts, json, type Make } from "./document.ts"

/** All tools in their order without a word, else those that fit it, best first. */
export const toolSearch = (q: string): Make => ({ tools }) => {
  const found = q.trim() === "" ? tools.map((item) => ({ item, score: 1 })) : findTools(q, tools)
  return json({
    query: q,
    total: found.length,
    tools: found.map(({ item: { auth, category, description, name, price_cents, status }, score }) => ({ name, score, description, price_cents, auth, category, status }))
  })
}

export const install: Make = ({ site, tools }) => json(manifestOf(site, tools))

/** Undefined for a platform that nothing is known of. */
export const installFor = (platform: string) => ({ site, tools }: Facts): Document | undefined =>
  installations(site).some((one) => one.platform === platform) ? json(manifestOf(site, tools, platform)) : undefined
