/** Programs that outlive, loop and flood, by the runtime that they are for: what attempts alone do not show. */

/** Prints `begun`, and leaves processes behind that should outlive it. */
export const daemons = [
  [
    "python",
    `
import os, time
for _ in range(3):
  if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(300)
    os._exit(0)
print("begun")`
  ],
  ["node", `require("child_process").spawn("sleep", ["300"], { detached: true, stdio: "inherit" }).unref(); console.log("begun")`],
  ["bash", `setsid sleep 300 & (trap '' HUP TERM INT; sleep 300) & disown -a; echo begun`]
] as const

/** Prints `begun`, and neither ends nor heeds a signal. */
export const stubborn = [
  [
    "python",
    `
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("begun", flush=True)
time.sleep(300)`
  ],
  [
    "node",
    `
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {})
console.log("begun")
setInterval(() => {}, 1000)`
  ],
  ["bash", `trap '' TERM INT HUP; echo begun; exec 1>&- 2>&-; while :; do sleep 1; done`]
] as const

export const outputFloods = [
  ["python", `import sys\nwhile True: sys.stdout.write("x" * 65536)`, "stdout"],
  ["node", `for (;;) require("fs").writeSync(2, "x".repeat(65536))`, "stderr"],
  ["bash", `yes`, "stdout"]
] as const

/** Prints how many processes it got, where it can say so. */
export const processFloods = [
  [
    "python",
    `
import os, time
n = 0
try:
  while True:
    if os.fork() == 0: time.sleep(300)
    n += 1
except OSError: print(n)`
  ],
  [
    "node",
    `
let n = 0, failed = false
for (let i = 0; i < 200; i++) {
  const child = require("child_process").spawn("sleep", ["300"]).on("error", () => {})
  if (child.pid === undefined) failed = true
  else n++
}
console.log(failed ? n : "no limit")
process.exit()`
  ],
  [
    "bash",
    `
n=0
for i in $(seq 200); do
  sleep 300 & n=$((n+1))
  set -- /proc/[0-9]*
  [ $# -gt 60 ] && break
done
echo $n
kill %1`
  ]
] as const

/** Prints `escaped` with more memory than a run may have. */
export const memoryFloods = [
  ["python", `data = bytearray(2 << 30)\nprint("escaped")`],
  [
    "python",
    `
import mmap
m = mmap.mmap(-1, 2 << 30)
for i in range(0, 2 << 30, 4096): m[i] = 1
print("escaped")`
  ],
  [
    "python",
    `
import os
for i in range(8):
  if os.fork() == 0:
    b = bytearray(300 << 20)
    os._exit(0)
codes = [os.wait()[1] for i in range(8)]
print("held" if any(codes) else "escaped")`
  ],
  ["node", `const all = []; for (let i = 0; i < 64; i++) all.push(Buffer.alloc(64 << 20, 1)); console.log("escaped")`],
  ["node", `new WebAssembly.Memory({ initial: 32768 }); const a = []; for (;;) a.push("x".repeat(1000) + a.length)`],
  ["bash", `x=x; for i in $(seq 31); do x=$x$x; done; echo escaped`]
] as const

/** Prints `held` for each file that did not become as long as it was to be. */
export const diskFloods = [
  [
    "python",
    `
for path in ("/tmp/f", "/dev/shm/f"):
  try:
    with open(path, "wb") as f:
      for _ in range(200): f.write(b"x" * (1 << 20))
    print("escaped")
  except OSError: print("held")`
  ],
  [
    "node",
    `
for (const n of [1, 2, 3]) {
  try { require("fs").writeFileSync("/tmp/f" + n, Buffer.alloc(40 << 20)) } catch { console.log("held") }
}`
  ],
  ["bash", `for f in 1 2 3; do head -c 40M /dev/zero > /tmp/$f || echo held; done 2> /dev/null`]
] as const
