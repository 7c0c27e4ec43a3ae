/** What the operator may set of packages that are fetched after the start. */
import { oneOf } from "@svc/kernel/parts/settings"
import { Config } from "effect"

export const fetchTimes = ["never", "when_needed", "at_start"] as const
export type FetchTime = typeof fetchTimes[number]

const usual = Config.String("PUBLIC_URL").pipe(
  Config.map((): FetchTime => "never"),
  Config.withDefault<FetchTime>("when_needed")
)

/** An installation that the outside reaches downloads nothing unless its operator asks for it. */
export const FetchSettings = Config.all({ asked: oneOf("FETCH_PACKAGES", ["unset", ...fetchTimes], "unset"), usual }).pipe(
  Config.map(({ asked, usual }): FetchTime => asked === "unset" ? usual : asked)
)
