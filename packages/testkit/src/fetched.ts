/** Packages that are fetched after the start, for tests that need them: once into the folder of this machine, for all runs. */
import type { PackageGroup } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect, Schedule } from "effect"

/** Where the packages are, or undefined where the registry cannot be reached. */
export const fetchedFolder = (group: PackageGroup): Promise<string | undefined> =>
  Effect.runPromise(
    Effect.flatMap(FetchedPackages, ({ folderOf }) => folderOf(group)).pipe(
      Effect.retry({ while: ({ _tag }) => _tag === "BeingFetched", schedule: Schedule.spaced("200 millis") }),
      Effect.orElseSucceed(() => undefined),
      Effect.provide(FetchedPackages.layer("when_needed"))
    )
  )

/** What is said in the place of the tests. */
export const missing = ({ name }: PackageGroup): string => `skipped: the packages "${name}" are not here, and npm reaches no registry`
