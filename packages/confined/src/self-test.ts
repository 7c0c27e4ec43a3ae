/** What each rung is asked before anything foreign runs in it. A rung with a finding is not used. */

/** Inside bubblewrap, by a shell: prints what should not be possible, and leaves a process behind that must not outlive the shell. */
export const SHELL_TEST = `
unshown=$1
grep -v -e '|' -e ' lo:' /proc/net/dev > /tmp/interfaces && echo 'reaches a network'
[ -e /etc/passwd ] || [ -e "$unshown" ] && echo 'sees files of the host'
unshare --user true 2> /dev/null && echo 'makes new namespaces'
touch /usr/confined /confined 2> /dev/null && echo 'writes to files of the host'
grep -q '^Seccomp:.2' /proc/self/status || echo 'runs without a system call filter'
grep -q '^NoNewPrivs:.1' /proc/self/status || echo 'may gain privileges'
grep -q '^CapEff:.0000000000000000' /proc/self/status || echo 'has capabilities'
setsid sleep 60 &
`

/** Under Node's permission model: prints what should not be possible. */
export const NODE_TEST = `
const { connect } = require("node:net")
const tried = (does, attempt) => { try { attempt(); console.log(does) } catch {} }
tried("sees files of the host", () => require("node:fs").readdirSync("/"))
tried("writes to files of the host", () => require("node:fs").writeFileSync(require("node:os").tmpdir() + "/svc-confined", ""))
tried("starts programs", () => require("node:child_process").execFileSync(process.execPath, ["--version"]))
tried("starts threads", () => new (require("node:worker_threads").Worker)("0", { eval: true }))
connect(9, "127.0.0.1").on("error", ({ code }) => { if (code !== "ERR_ACCESS_DENIED") console.log("network") })
`
