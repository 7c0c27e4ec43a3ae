import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./testing.ts"

const mapping = (name: string) => `import org.springframework.web.bind.annotation.${name};\n`

describe("the routes of a controller", () => {
  it.each<readonly [what: string, path: string, text: string, routes: ReadonlyArray<string>]>([
    [
      "of Spring whose class has no path",
      "src/Loans.java",
      `${mapping("GetMapping")}${mapping("RestController")}@RestController\npublic class Loans {\n` +
      `  @GetMapping("/loans/{id}")\n  public Loan find(String id) { return null; }\n}\n`,
      ["GET /loans/{id} find spring @5"]
    ],
    [
      "of Spring whose name is no path",
      "src/Loans.java",
      `${mapping("PostMapping")}@RestController("loanBean")\n@RequestMapping(path = "/loans")\npublic class Loans {\n` +
      `  @PostMapping\n  public Loan lend(String id) { return null; }\n}\n`,
      ["POST /loans lend spring @5"]
    ],
    [
      "of JAX-RS",
      "src/Orders.java",
      `import jakarta.ws.rs.GET;\nimport jakarta.ws.rs.DELETE;\nimport jakarta.ws.rs.Path;\n@Path("orders")\npublic class Orders {\n` +
      `  @GET\n  public String all() { return ""; }\n  @DELETE\n  @Path("/{id}")\n  public void remove(String id) { }\n}\n`,
      ["GET /orders all jax-rs @6", "DELETE /orders/{id} remove jax-rs @8"]
    ]
  ])("%s", async (_, path, text, routes) => {
    assert.deepStrictEqual(await linesOf(path, text, "route", "handler", "framework"), routes)
  })
})

describe("a macro of Rust that logs", () => {
  it.each([
    ["use tracing::warn;", "tracing warn slow @2"],
    ["use log::{info, warn};", "log warn slow @2"],
    ["use crate::warn;", "warn! warn slow @2"]
  ])("after %s", async (imported, expected) => {
    const text = `${imported}\nfn main() { warn!("slow"); }\n`
    assert.deepStrictEqual(await linesOf("src/main.rs", text, "log", "level", "message"), [expected])
  })
})
