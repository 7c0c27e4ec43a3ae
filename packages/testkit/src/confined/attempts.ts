/**
 * What a hostile program attempts. Each attempt is code that does what must not be possible: it counts as held when it throws or fails. A
 * program makes all of them and prints their names as JSON, `{ name: "held" }` or what came of it. One that
 * escapes harms no machine: it opens a setting and does not write, or sets what is set already.
 */

/** What stands on this machine and must be out of reach. */
export interface Targets {
  /** A file that any user of this machine may read. */
  readonly file: string
  /** A folder that any user may write to. */
  readonly folder: string
  /** A port of loopback on which a server listens. */
  readonly port: number
  /** A Unix socket on which one listens, as the embedded database does. */
  readonly socket: string
  /** The process of the service. */
  readonly pid: number
}

export const pythonAttempts = ({ file, folder, pid, port, socket }: Targets): Readonly<Record<string, string>> => ({
  "reads a file of the host": `open(${JSON.stringify(file)}).read()`,
  "reads the host's accounts": `open("/etc/passwd").read()`,
  "reads the host's passwords": `open("/etc/shadow").read()`,
  "lists root's folder": `os.listdir("/root")`,
  "lists homes": `os.listdir("/home")`,
  "reads the checkout": `open(${JSON.stringify(import.meta.filename)}).read()`,
  "lists the kernel's devices": `os.listdir("/sys/class")`,
  "reads the service's environment": `open("/proc/${pid}/environ").read()`,
  "reads the first process's memory": `open("/proc/1/mem", "rb").read(1)`,
  "reads the kernel's memory": `open("/proc/kcore", "rb").read(1)`,
  "follows a link of its own": `os.symlink("/etc/passwd", "/tmp/link") or open("/tmp/link").read()`,
  "walks out of its root": `open("/tmp/../../../../../../etc/passwd").read()`,
  "walks out through a process": `open("/proc/1/root/etc/passwd").read()`,
  "writes to the host's folder": `open(${JSON.stringify(`${folder}/escaped`)}, "w")`,
  "writes to programs": `open("/usr/bin/escaped", "w")`,
  "writes to its root": `open("/escaped", "w")`,
  "writes to devices": `open("/dev/escaped", "w")`,
  "writes to the kernel's settings": `open("/proc/sys/kernel/core_pattern", "a")`,
  "writes to its code": `open("/run/code", "a").write("#")`,
  "spares itself from the memory killer": `os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"-1000")`,
  "makes a device": `os.mknod("/tmp/disk", 0o60666, os.makedev(254, 0))`,
  "opens the host's disk": `open("/dev/vda", "rb")`,
  "is root": `os.setuid(0)`,
  "is another user": `os.setresuid(70001, 70001, 70001)`,
  "changes its root": `os.chroot("/tmp")`,
  "raises its own limits": `resource.setrlimit(resource.RLIMIT_NPROC, (100000, 100000))`,
  "raises its priority": `os.setpriority(os.PRIO_PROCESS, 0, -5)`,
  "takes the real-time scheduler": `os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))`,
  "signals the service": `os.kill(${pid}, 0)`,
  "connects to loopback": `socket.create_connection(("127.0.0.1", ${port}), 1)`,
  "connects to loopback, version 6": `socket.create_connection(("::1", ${port}), 1)`,
  "connects to the metadata service": `socket.create_connection(("169.254.169.254", 80), 1)`,
  "connects to the outside": `socket.create_connection(("1.1.1.1", 53), 1)`,
  "asks for a name": `socket.getaddrinfo("example.com", 80)`,
  "connects to a socket file": `socket.socket(socket.AF_UNIX).connect(${JSON.stringify(socket)})`,
  "connects to an abstract socket": `socket.socket(socket.AF_UNIX).connect("\\0svc-probe")`,
  "makes a netlink socket": `socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)`,
  "makes a packet socket": `socket.socket(socket.AF_PACKET, socket.SOCK_RAW)`,
  "makes a socket to the hypervisor": `socket.socket(socket.AF_VSOCK)`,
  "makes a socket of the kernel's cryptography": `socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)`,
  "makes namespaces": `call("unshare", 0x10000000)`,
  "makes a mount namespace": `call("unshare", 0x20000)`,
  "clones into a namespace": `call(None, 0x10000000 | 17, 0, 0, 0, 0, number=56)`,
  "clones by the newer call": `call(None, 0, 0, number=435)`,
  "enters the namespace of another": `call("setns", os.open("/proc/1/ns/net", 0), 0)`,
  mounts: `call("mount", b"none", b"/tmp", b"tmpfs", 0, None)`,
  unmounts: `call("umount2", b"/tmp", 2)`,
  "mounts by the newer calls": `call(None, b"tmpfs", 0, number=430)`,
  traces: `call("ptrace", 16, 1, 0, 0)`,
  "lets itself be traced": `call("ptrace", 0, 0, 0, 0)`,
  "reads another's memory": `call(None, 1, 0, 0, 0, 0, 0, number=310)`,
  "loads a program into the kernel": `call(None, 0, 0, 0, number=321)`,
  "handles page faults": `call(None, 0, number=323)`,
  "makes a ring of system calls": `call(None, 4, 0, number=425)`,
  "opens a keyring": `call(None, 0, -3, 1, number=250)`,
  "watches events": `call(None, 0, 0, -1, -1, 0, number=298)`,
  "opens files by handle": `call(None, -100, b"/usr", 0, 0, 0, number=303)`,
  "changes the time": `time.clock_settime(time.CLOCK_REALTIME, time.time())`,
  "changes the name of the machine": `call("sethostname", os.uname().nodename.encode(), len(os.uname().nodename))`,
  "turns the machine off": `call(None, 0xfee1dead, 672274793, 0x89abcdef, 0, number=169)`
})

/** Attempts by the number of a system call use those of x64. */
const forThisMachine = (attempts: Readonly<Record<string, string>>) =>
  Object.entries(attempts).filter(([, code]) => process.arch === "x64" || !code.includes("number="))

/** Every attempt in Python, whose `ctypes` makes any system call. */
export const pythonProgram = (targets: Targets): string =>
  `import ctypes, json, os, resource, socket, time
opened = {n for n in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + n)}
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args, number=None):
    result = getattr(libc, name)(*args) if number is None else libc.syscall(number, *args)
    if result == -1: raise OSError(ctypes.get_errno())
    return result
def held(attempt):
    try: return "held" if attempt() is Ellipsis else "escaped"
    except (OSError, ValueError): return "held"
print(json.dumps({
${forThisMachine(pythonAttempts(targets)).map(([name, code]) => `  ${JSON.stringify(name)}: held(lambda: ${code}),`).join("\n")}
  "has the service's environment": "escaped" if set(os.environ) - {"PATH", "HOME", "LANG", "LC_CTYPE", "PWD"} else "held",
  "sees other processes": "escaped" if len([n for n in os.listdir("/proc") if n.isdigit()]) > 6 else "held",
  "has open files of the service": "held" if opened <= {"0", "1", "2"} else str(opened),
  "has capabilities": "held" if "CapEff:\\t0000000000000000" in open("/proc/self/status").read() else "escaped"
}))
`

const nodeAttempts = ({ file, folder, pid, port, socket }: Targets): Readonly<Record<string, string>> => ({
  "reads a file of the host": `fs.readFileSync(${JSON.stringify(file)})`,
  "reads the host's accounts": `fs.readFileSync("/etc/passwd")`,
  "reads the host's passwords": `fs.readFileSync("/etc/shadow")`,
  "lists root's folder": `fs.readdirSync("/root")`,
  "lists homes": `fs.readdirSync("/home")`,
  "reads the probes": `fs.readFileSync(${JSON.stringify(import.meta.filename)})`,
  "reads the service's environment": `fs.readFileSync("/proc/${pid}/environ")`,
  "reads the first process's memory": `fs.readSync(fs.openSync("/proc/1/mem"), Buffer.alloc(1))`,
  "reads the kernel's memory": `fs.readSync(fs.openSync("/proc/kcore"), Buffer.alloc(1))`,
  "follows a link of its own": `fs.symlinkSync("/etc/passwd", "/tmp/svc-link"), fs.readFileSync("/tmp/svc-link")`,
  "walks out of its root": `fs.readFileSync("/tmp/../../../../../etc/passwd")`,
  "walks out through a process": `fs.readFileSync("/proc/1/root/etc/passwd")`,
  "reads by promise": `await fs.promises.readFile("/etc/passwd")`,
  "reads by stream": `await new Promise((done, no) => fs.createReadStream("/etc/passwd").on("data", done).on("error", no))`,
  "reads by import": `await import("/etc/hostname")`,
  "opens folders": `fs.opendirSync("/root")`,
  "watches files of the host": `fs.watch("/etc/passwd").close()`,
  "copies files of the host": `fs.copyFileSync("/etc/passwd", "/tmp/svc-copy")`,
  "writes to the host's folder": `fs.writeFileSync(${JSON.stringify(`${folder}/escaped`)}, "")`,
  "writes to programs": `fs.writeFileSync("/usr/bin/escaped", "")`,
  "writes to its root": `fs.writeFileSync("/escaped", "")`,
  "writes to the kernel's settings": `fs.openSync("/proc/sys/kernel/core_pattern", "a")`,
  "removes files of the host": `fs.rmSync(${JSON.stringify(file)})`,
  "is root": `process.setuid(0)`,
  "is another user": `process.setuid(70001)`,
  "signals the service": `process.kill(${pid}, 0)`,
  "raises its priority": `os.setPriority(-5)`,
  "connects to loopback": `await connected({ host: "127.0.0.1", port: ${port} })`,
  "connects to loopback, version 6": `await connected({ host: "::1", port: ${port} })`,
  "connects to the metadata service": `await connected({ host: "169.254.169.254", port: 80 })`,
  "connects to the outside": `await connected({ host: "1.1.1.1", port: 53 })`,
  "connects to a socket file": `await connected({ path: ${JSON.stringify(socket)} })`,
  "connects to an abstract socket": `await connected({ path: "\\0svc-probe" })`,
  "fetches from loopback": `await fetch("http://127.0.0.1:${port}/")`,
  "fetches the metadata": `await fetch("http://169.254.169.254/latest/meta-data/")`,
  "asks for a name": `await dns.promises.lookup("example.com")`,
  "asks a name server": `await dns.promises.resolve4("example.com")`,
  "opens a web socket":
    `await new Promise((done, no) => { const s = new WebSocket("ws://127.0.0.1:${port}"); s.onopen = done; s.onerror = no })`,
  "makes namespaces": `run("unshare", ["--user", "true"])`,
  "makes a sandbox in the sandbox": `run("bwrap", ["--unshare-user", "--ro-bind", "/usr", "/usr", "/usr/bin/true"])`,
  mounts: `run("mount", ["-t", "tmpfs", "none", "/tmp"])`,
  "enters the namespace of another": `run("nsenter", ["--target", "1", "--net", "true"])`,
  "takes the real-time scheduler": `run("chrt", ["--fifo", "10", "true"])`,
  "reads the service's environment by a program": `run("cat", ["/proc/${pid}/environ"])`,
  "ends the service by a program": `run("sh", ["-c", "kill -0 ${pid}"])`,
  "reads the host by a program": `run("cat", ["/etc/passwd"])`
})

/** Every attempt in Node.js, as the body of an async function; `finish` says what becomes of the findings. */
export const nodeAttemptsBody = (targets: Targets, finish: string): string =>
  `const modules = ["fs", "os", "dns", "net", "child_process"].map((name) => import("node:" + name))
const [fs, os, dns, net, child_process] = await Promise.all(modules)
const connected = (to) =>
  new Promise((done, no) => {
    const socket = net.connect({ ...to, timeout: 1000 })
    socket.on("connect", done).on("error", no).on("timeout", no)
  })
const run = (path, args) => {
  const { status, error } = child_process.spawnSync(path, args, { timeout: 2000 })
  if (error || status !== 0) throw error ?? new Error(String(status))
}
const findings = {}
const held = async (name, attempt) => { try { await attempt(); findings[name] = "escaped" } catch { findings[name] = "held" } }
${Object.entries(nodeAttempts(targets)).map(([name, code]) => `await held(${JSON.stringify(name)}, async () => { ${code} })`).join("\n")}
const own = ["PATH", "HOME", "LANG", "PWD"]
findings["has the service's environment"] = Object.keys(process.env).some((name) => !own.includes(name)) ? "escaped" : "held"
${finish}
`

const bashAttempts = ({ file, folder, pid, port, socket }: Targets): Readonly<Record<string, string>> => ({
  "reads a file of the host": `cat ${file}`,
  "reads the host's accounts": `cat /etc/passwd`,
  "reads the host's passwords": `cat /etc/shadow`,
  "lists root's folder": `ls /root`,
  "lists homes": `ls /home`,
  "reads the checkout": `cat ${import.meta.filename}`,
  "lists the kernel's devices": `ls /sys/class`,
  "reads the service's environment": `cat /proc/${pid}/environ`,
  "reads the first process's memory": `head -c 1 /proc/1/mem`,
  "reads the kernel's memory": `head -c 1 /proc/kcore`,
  "follows a link of its own": `ln -s /etc/passwd /tmp/link && cat /tmp/link`,
  "walks out of its root": `cat /tmp/../../../../etc/passwd`,
  "walks out through a process": `cat /proc/1/root/etc/passwd`,
  "writes to the host's folder": `touch ${folder}/escaped`,
  "writes to programs": `touch /usr/bin/escaped`,
  "writes to its root": `touch /escaped`,
  "writes to devices": `touch /dev/escaped`,
  "writes to the kernel's settings": `sh -c ': >> /proc/sys/kernel/core_pattern'`,
  "spares itself from the memory killer": `sh -c 'echo -1000 > /proc/self/oom_score_adj'`,
  "makes a device": `mknod /tmp/disk b 254 0`,
  "is root": `setpriv --reuid 0 true`,
  "is another user": `setpriv --reuid 70001 --clear-groups true`,
  "gains privileges by a program": `su -c true`,
  "changes its root": `chroot /tmp`,
  "raises its own limits": `prlimit --nproc=100000 true`,
  "raises its priority": `renice -n -5 -p $$`,
  "takes the real-time scheduler": `chrt --fifo 10 true`,
  "signals the service": `kill -0 ${pid}`,
  "ends the first process": `kill -9 1; sh -c 'sleep 0.1; kill -0 1' && false`,
  "connects to loopback": `timeout 1 bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`,
  "connects to the metadata service": `timeout 1 bash -c 'exec 3<>/dev/tcp/169.254.169.254/80'`,
  "connects to the outside": `timeout 1 bash -c 'exec 3<>/dev/tcp/1.1.1.1/53'`,
  "sends datagrams": `timeout 1 bash -c 'echo x > /dev/udp/1.1.1.1/53'`,
  "connects to a socket file": `python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("${socket}")'`,
  "asks for a name": `getent hosts example.com`,
  "makes namespaces": `unshare --user true`,
  "makes a mount namespace": `unshare --mount true`,
  "makes a sandbox in the sandbox": `bwrap --unshare-user --ro-bind /usr /usr /usr/bin/true`,
  "enters the namespace of another": `nsenter --target 1 --net true`,
  mounts: `mount -t tmpfs none /tmp`,
  unmounts: `umount /tmp`,
  "changes the time": `date -s "$(date)"`,
  "changes the name of the machine": `hostname "$(hostname)"`,
  "sees control groups": `ls /sys/fs/cgroup`,
  "reads the kernel's log": `dmesg`
})

const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const bashProgram = (targets: Targets): string =>
  `held() { if eval "$2" > /dev/null 2>&1; then echo "$1: escaped"; else echo "$1: held"; fi; }
${Object.entries(bashAttempts(targets)).map(([name, code]) => `held ${single(name)} ${single(code)}`).join("\n")}
[ -z "$(env | grep -v -E '^(PATH|HOME|LANG|PWD|SHLVL|_|OLDPWD)=')" ] && echo "has the service's environment: held"
`

/** Attempts on QuickJS: code that must not reach Node.js. Each is an expression that is undefined, or throws, where it is held. */
export const quickJsAttempts: Readonly<Record<string, string>> = {
  "has the process": `globalThis.process`,
  "has require": `globalThis.require`,
  "has fetch": `globalThis.fetch`,
  "has WebAssembly": `globalThis.WebAssembly`,
  "has timers": `globalThis.setTimeout`,
  "has workers": `globalThis.Worker`,
  "has Node's buffers": `globalThis.Buffer`,
  "has Node's global": `globalThis.global`,
  "has Deno": `globalThis.Deno`,
  "has QuickJS's modules": `globalThis.std ?? globalThis.os`,
  "has a module of the host": `globalThis.Module`,
  "finds the process by a function's constructor": `(function () {}).constructor("return globalThis.process")()`,
  "finds it by the printer's constructor": `console.log.constructor("return globalThis.process")()`,
  "finds it by the async constructor":
    `(async () => {}).constructor("return globalThis.process").toString().includes("native") || undefined`,
  "finds it by eval": `(0, eval)("globalThis.process")`,
  "finds it by this": `(function () { return this.process })()`,
  "finds it by an error's stack": `Error.prepareStackTrace`,
  "finds it by a caller": `(() => console.log.caller?.process)()`,
  "finds it by the prototype of the printer": `Object.getPrototypeOf(console.log).process`,
  "finds it by a species": `Array[Symbol.species].process`,
  "finds it by a getter": `Object.getOwnPropertyDescriptor(globalThis, "process")`,
  "finds it by a proxy": `new Proxy(globalThis, {}).process`,
  "finds it by reflection": `Reflect.get(globalThis, "process")`,
  "lists it": `Object.getOwnPropertyNames(globalThis).find((name) => /process|require|module|import/i.test(name))`,
  "reads the standard input as a stream": `stdin.constructor.constructor("return globalThis.process")()`,
  "shares memory with the host": `typeof SharedArrayBuffer === "undefined" || new SharedArrayBuffer(8).byteLength !== 8 || undefined`,
  "reads a file by XMLHttpRequest": `globalThis.XMLHttpRequest`,
  "reads the environment": `globalThis.process?.env`,
  "opens a socket": `globalThis.WebSocket`,
  "finds it by the generator's constructor": `(function* () {}).constructor("return globalThis.process")().next().value`,
  "finds it by a symbol": `globalThis[Object.getOwnPropertySymbols(globalThis).find((symbol) => /process|node/i.test(String(symbol)))]`,
  "finds it by a thrown error":
    `(() => { try { null.process } catch (error) { return error.constructor.constructor("return globalThis.process")() } })()`,
  "finds it by a weak reference": `new WeakRef(print).deref().process`,
  "has the facts of a module": `(0, eval)("import.meta")`,
  "has performance hooks": `globalThis.performance?.nodeTiming`,
  "has Node's structured clone": `globalThis.structuredClone`,
  "has an old way to the host": `globalThis.ActiveXObject ?? globalThis.load ?? globalThis.read`,
  "pollutes by a name": `JSON.parse('{"__proto__": {"polluted": "yes"}}') && {}.polluted`,
  "pollutes the host's objects": `(Object.prototype.polluted = "yes", undefined)`,
  "pollutes the host's arrays": `(Array.prototype.toJSON = () => "polluted", undefined)`
}

export const quickJsProgram = `const findings = []
const held = (name, attempt) => {
  let found
  try { found = attempt() } catch {}
  findings.push(name + ": " + (found === undefined ? "held" : "escaped"))
}
${Object.entries(quickJsAttempts).map(([name, code]) => `held(${JSON.stringify(name)}, () => ${code})`).join("\n")}
print(findings.join("\\n"))
`
