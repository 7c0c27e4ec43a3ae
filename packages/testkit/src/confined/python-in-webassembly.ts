/** What hostile Python attempts in WebAssembly, where it makes no system call by number. */
import { pythonAttempts, type Targets } from "./attempts.ts"

/** What Python in WebAssembly may find besides: the JavaScript around it, other programs, threads. */
const webAssemblyAttempts = ({ port }: Targets): Readonly<Record<string, string>> => ({
  "reaches JavaScript": `__import__("js")`,
  "reaches Pyodide": `__import__("pyodide")`,
  "calls C": `__import__("ctypes")`,
  "loads native code": `__import__("_ctypes")`,
  "starts a program": `__import__("subprocess").run(["ls"])`,
  "starts a shell": `1 / (os.system("true") + 1)`,
  "becomes a program": `os.execv("/bin/sh", ["sh"])`,
  forks: `os.fork()`,
  "starts a thread": `__import__("threading").Thread(target=print).start()`,
  listens: `socket.socket().listen()`,
  "listens at a port": `socket.create_server(("127.0.0.1", ${port + 1}))`,
  "sends datagrams": `socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", ${port}))`,
  "fetches from loopback": `__import__("urllib.request").request.urlopen("http://127.0.0.1:${port}", timeout=1)`,
  "maps the kernel's memory": `__import__("mmap").mmap(os.open("/dev/mem", os.O_RDWR), 4096)`
})

/** Every attempt that Python can make in WebAssembly, where it makes no system call by number. */
export const pythonInWebAssembly = (targets: Targets): string =>
  `import json, os, socket, time
def held(attempt):
    try: return "held" if attempt() is Ellipsis else "escaped"
    except Exception: return "held"
print(json.dumps({
${
    Object.entries({ ...pythonAttempts(targets), ...webAssemblyAttempts(targets) }).filter(([, code]) => !code.includes("call("))
      .map(([name, code]) => `  ${JSON.stringify(name)}: held(lambda: ${code}),`).join("\n")
  }
  "has the service's environment": "escaped" if set(os.environ) & {"DATABASE_URL", "NODE_OPTIONS", "SHELL"} else "held",
  "has open files of the service": "held" if set(os.listdir("/proc/self/fd")) <= {"0", "1", "2", "3"} else "escaped"
}))
`
