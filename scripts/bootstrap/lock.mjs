/** One installation at a time, however many programs are started at once. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Trouble } from "./trouble.mjs"

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === "EPERM"
  }
}

const holder = (lock) => {
  try {
    return Number(readFileSync(join(lock, "pid"), "utf8"))
  } catch {
    return undefined
  }
}

/** A lock is left over when its holder is gone, or never got to write its name. */
const isStale = (lock) => {
  const pid = holder(lock)
  if (pid !== undefined && pid > 0) return !isAlive(pid)
  try {
    return Date.now() - statSync(lock).mtimeMs > 10_000
  } catch {
    return false
  }
}

/** Runs `work` while holding the lock. Waits for whoever has it, and says so. */
export const withLock = async (lock, work) => {
  try {
    mkdirSync(dirname(lock), { recursive: true })
  } catch (error) {
    throw new Trouble("Cannot install anything here", error.message, "Make the folder of this checkout writable")
  }
  for (let waited = 0;; waited++) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== "EEXIST") {
        throw new Trouble("Cannot install anything here", error.message, "Check the free space and the permissions of this checkout")
      }
    }
    if (isStale(lock)) rmSync(lock, { recursive: true, force: true })
    else {
      if (waited === 0) process.stderr.write(`svc: waiting for another installation (process ${holder(lock) ?? "unknown"})\n`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  try {
    writeFileSync(join(lock, "pid"), String(process.pid))
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
