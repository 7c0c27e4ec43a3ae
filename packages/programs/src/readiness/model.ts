/** What a score of readiness is asked with, and how it judges. */

/** Gaps of these areas come first where the caller names them. */
export const focusAreas = ["sca", "dispute", "mandate", "tap", "tokenization"] as const
export type FocusArea = typeof focusAreas[number]

export const risks = ["low", "medium", "high", "critical"] as const
export type Risk = typeof risks[number]
