import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./testing.ts"

const cases: ReadonlyArray<readonly [path: string, text: string, listens: ReadonlyArray<string>]> = [
  ["a.js", "app.listen(process.env.PORT || 3000, () => {\n  log()\n})", ["app.listen 3000 PORT null @1"]],
  ["b.ts", "const port = Number(process.env.SHOP_PORT ?? \"8080\")\n\ncreateServer(h).listen(port)", [
    "createServer(h).listen 8080 SHOP_PORT null @3"
  ]],
  ["c.ts", "await app.listen({ port: 3000, host: \"0.0.0.0\" })", ["app.listen 3000 null 0.0.0.0 @1"]],
  ["d.ts", "const port = 4000\nserve({ fetch: app.fetch, port })", ["serve 4000 null null @2"]],
  ["e.ts", "app.listen(config.port)", ["app.listen null null null @1"]],
  ["f.ts", "server.listen(8000, \"127.0.0.1\")", ["server.listen 8000 null 127.0.0.1 @1"]],
  ["g.ts", "run(8000)\nstart({ name: \"a:1000\" })\nemitter.listen()", []],
  ["a.py", "uvicorn.run(app, port=int(os.getenv(\"AGENT_PORT\", \"8000\")))", ["uvicorn.run 8000 AGENT_PORT null @1"]],
  ["b.py", "app.run(host=\"0.0.0.0\", port=5001)", ["app.run 5001 null 0.0.0.0 @1"]],
  ["c.py", "PORT = int(os.environ.get(\"PORT\", 8000))\nHTTPServer((\"\", PORT), Handler).serve_forever()", [
    "HTTPServer 8000 PORT null @2"
  ]],
  ["a.go", "package main\nfunc main() {\n\trouter.Run(\":\" + os.Getenv(\"GATEWAY_PORT\"))\n}", ["router.Run null GATEWAY_PORT null @3"]],
  ["b.go", "package main\nfunc main() {\n\thttp.ListenAndServe(\":8080\", nil)\n}", ["http.ListenAndServe 8080 null null @3"]],
  [
    "c.go",
    "package main\nfunc main() {\n\tport := os.Getenv(\"PORT\")\n\tif port == \"\" {\n\t\tport = \"9000\"\n\t}\n" +
    "\thttp.ListenAndServe(\":\"+port, nil)\n}",
    ["http.ListenAndServe 9000 PORT null @7"]
  ],
  ["a.rs", "fn main() { let l = TcpListener::bind(\"0.0.0.0:3000\"); }", ["TcpListener::bind 3000 null 0.0.0.0 @1"]],
  ["A.java", "class A { void a() { HttpServer.create(new InetSocketAddress(8081), 0); } }", ["InetSocketAddress 8081 null null @1"]]
]

describe("ports that a program opens", () => {
  it.each(cases)("%s: %s", async (path, text, listens) => {
    assert.deepStrictEqual(await linesOf(path, `${text}\n`, "listen", "port", "variable", "host"), listens)
  })
})
