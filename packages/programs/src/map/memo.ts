import type { Project } from "../facts/project.ts"

/** Works out once what many artifacts ask of the same project. */
export const memo = <A extends object>(make: (project: Project) => A): (project: Project) => A => {
  const made = new WeakMap<Project, A>()
  return (project) => {
    const value = made.get(project) ?? make(project)
    made.set(project, value)
    return value
  }
}
