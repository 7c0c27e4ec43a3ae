/** Programs of three languages that answer on a port, without packages of other people. */
import type { Files } from "../analysis/projects.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

export const harbour: Files = {
  "package.json": lines(
    "{",
    "  \"name\": \"harbour\",",
    "  \"engines\": { \"node\": \">=20\" },",
    "  \"scripts\": { \"build\": \"node build.js\", \"start\": \"node dist/server.js\" }",
    "}"
  ),
  "build.js": lines(
    "const { cpSync } = require(\"node:fs\")",
    "cpSync(\"src\", \"dist\", { recursive: true })"
  ),
  "src/server.js": lines(
    "const { createServer } = require(\"node:http\")",
    "const port = Number(process.env.PORT || 8181)",
    "createServer((request, response) => response.end(\"ships\")).listen(port)"
  )
}

export const lighthouse: Files = {
  "pyproject.toml": lines("[project]", "name = \"lighthouse\"", "version = \"1.0.0\"", "requires-python = \">=3.9\""),
  "lamp.py": lines(
    "import os",
    "from http.server import BaseHTTPRequestHandler, HTTPServer",
    "",
    "",
    "class Lamp(BaseHTTPRequestHandler):",
    "    def do_GET(self):",
    "        self.send_response(200)",
    "        self.end_headers()",
    "        self.wfile.write(b\"light\")",
    "",
    "",
    "PORT = int(os.environ.get(\"LAMP_PORT\", \"8282\"))",
    "HTTPServer((\"\", PORT), Lamp).serve_forever()"
  )
}

export const buoy: Files = {
  "Cargo.toml": lines("[package]", "name = \"buoy\"", "version = \"0.1.0\"", "edition = \"2021\""),
  "src/main.rs": lines(
    "use std::io::{Read, Write};",
    "use std::net::TcpListener;",
    "",
    "fn main() {",
    "    let listener = TcpListener::bind(\"0.0.0.0:8383\").unwrap();",
    "    for stream in listener.incoming() {",
    "        let mut stream = stream.unwrap();",
    "        let mut request = [0; 512];",
    "        let _ = stream.read(&mut request);",
    "        let _ = stream.write_all(b\"HTTP/1.1 200 OK\\r\\ncontent-length: 4\\r\\n\\r\\nring\");",
    "    }",
    "}"
  )
}
