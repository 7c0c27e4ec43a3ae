import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./testing.ts"

type Expected = readonly [kind: Parameters<typeof linesOf>[2], fields: ReadonlyArray<string>, lines: ReadonlyArray<string>]

interface Sample {
  readonly path: string
  readonly text: string
  readonly facts: ReadonlyArray<Expected>
}

const samples: ReadonlyArray<Sample> = [
  {
    path: "shop/test_api.py",
    text: `"""Module."""
from fastapi import APIRouter, FastAPI
import os
from .models import (Order, Line as L)
app = FastAPI()
router = APIRouter(prefix="/orders")
@router.get("/{id}")
async def get_order(id: int):
    """Gives an order. More."""
    logger.warning("slow %s", id)
    raise HTTPException(404, "no order")
class Order(BaseModel):
    id: int
    note: str | None = None
    def total(self):
        try:
            self.sum()
        except ValueError as e:
            pass
KEY = os.environ["KEY"]
URL = os.getenv("URL", "x")
def test_a():
    # TODO: x
    cur.execute("""
      SELECT * FROM orders
    """)
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "app constant true null null @5",
        "router constant true null null @6",
        "get_order function true null Gives an order. @8-11",
        "Order class true null null @12-19",
        "id constant true Order null @13",
        "note constant true Order null @14",
        "total method true Order null @15-19",
        "KEY constant true null null @20",
        "URL constant true null null @21",
        "test_a function true null null @22-26"
      ]],
      ["import", ["style", "names"], ["fastapi static APIRouter,FastAPI @2", "os static [] @3", ".models static Order,Line @4"]],
      ["call", ["callee", "caller"], [
        "FastAPI FastAPI app @5",
        "APIRouter APIRouter router @6",
        "warning logger.warning get_order @10",
        "HTTPException HTTPException get_order @11",
        "sum self.sum total @17",
        "getenv os.getenv URL @21",
        "execute cur.execute test_a @24-26"
      ]],
      ["route", ["handler", "framework"], ["GET /orders/{id} get_order fastapi @7"]],
      ["test", ["suite", "framework"], ["test_a null pytest @22-26"]],
      ["environment", ["fallback", "required"], ["KEY null true @20", "URL \"x\" false @21"]],
      ["error", ["style", "message", "within"], ["HTTPException throw no order get_order @11", "ValueError catch null total @18"]],
      ["log", ["level", "message"], ["logger warn slow %s @10"]],
      ["sql", ["tables"], ["SELECT orders @24-26"]],
      ["schema", ["style", "fields"], [
        `Order pydantic [{"name":"id","type":"int","required":true},{"name":"note","type":"str | None","required":false}] @12-19`
      ]],
      ["todo", ["text"], ["TODO TODO: x @23"]]
    ]
  },
  {
    path: "cmd/main.go",
    text: `package main
import (
  "net/http"
  "github.com/gin-gonic/gin"
)
// Store keeps orders. More.
type Store struct {
  ID string \`json:"id"\`
  note *string
}
type Reader interface { Read() }
const (
  Max = 1
)
func (s *Store) Get(id string) (*Order, error) { return nil, fmt.Errorf("no order %s", id) }
func main() {
  r := gin.Default()
  v1 := r.Group("/v1")
  v1.GET("/orders/:id", getOrder)
  http.HandleFunc("GET /x", handle)
  log.Printf("started")
  port := os.Getenv("PORT")
  panic("bad")
}
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "Store class true null Store keeps orders. @7-10",
        "Reader interface true null null @11",
        "Max constant true null null @13",
        "Get method true Store null @15",
        "main function false null null @16-24"
      ]],
      ["import", ["style", "names"], ["net/http static [] @3", "github.com/gin-gonic/gin static [] @4"]],
      ["call", ["callee", "caller"], [
        "Errorf fmt.Errorf Get @15",
        "Default gin.Default main @17",
        "Group r.Group main @18",
        "GET v1.GET main @19",
        "HandleFunc http.HandleFunc main @20",
        "Printf log.Printf main @21",
        "Getenv os.Getenv main @22",
        "panic panic main @23"
      ]],
      ["route", ["handler", "framework"], ["GET /v1/orders/:id getOrder gin @19"]],
      ["environment", ["fallback", "required"], ["PORT null false @22"]],
      ["error", ["style", "message", "within"], ["fmt.Errorf return no order %s Get @15", "panic throw bad main @23"]],
      ["log", ["level", "message"], ["log log started @21"]],
      ["schema", ["style", "fields"], ["Store struct [{\"name\":\"id\",\"type\":\"string\",\"required\":true}] @7-10"]]
    ]
  },
  {
    path: "src/main.rs",
    text: `use axum::{routing::{get, post}, Router};
mod store;
/// Keeps orders.
pub struct Store { pub id: String, note: Option<u8> }
impl Store { pub fn get(&self) -> Result<u8, E> { self.load(); Err(Error::NotFound("no")) } }
fn main() {
  let app = Router::new().route("/orders", get(list).post(handlers::add));
  tracing::info!("started");
  let key = std::env::var("KEY").expect("KEY");
  panic!("bad");
}
#[get("/x")]
async fn x() {}
#[cfg(test)]
mod tests { #[test] fn works() {} #[tokio::test] async fn later() {} }
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "Store class true null Keeps orders. @4",
        "get method true Store null @5",
        "main function false null null @6-11",
        "x function false null null @13",
        "tests module false null null @15",
        "works function false tests null @15",
        "later function false tests null @15"
      ]],
      ["import", ["style", "names"], [
        "axum::routing::get static get @1",
        "axum::routing::post static post @1",
        "axum::Router static Router @1",
        "self::store static [] @2"
      ]],
      ["call", ["callee", "caller"], [
        "load self.load get @5",
        "Err Err get @5",
        "NotFound Error::NotFound get @5",
        "route Router::new().route main @7",
        "new Router::new main @7",
        "post get(list).post main @7",
        "get get main @7",
        "info! tracing::info! main @8",
        "expect std::env::var(\"KEY\").expect main @9",
        "var std::env::var main @9",
        "panic! panic! main @10"
      ]],
      ["route", ["handler", "framework"], ["GET /orders list axum @7", "POST /orders handlers::add axum @7", "GET /x x axum @12"]],
      ["test", ["suite", "framework"], ["works tests cargo test @15", "later tests cargo test @15"]],
      ["environment", ["fallback", "required"], ["KEY null true @9"]],
      ["error", ["style", "message", "within"], ["Error::NotFound return no get @5", "panic! throw bad main @10"]],
      ["log", ["level", "message"], ["tracing info started @8"]],
      ["schema", ["style", "fields"], [
        `Store struct [{"name":"id","type":"String","required":true},{"name":"note","type":"Option<u8>","required":false}] @4`
      ]]
    ]
  },
  {
    path: "src/A.java",
    text: `package org.shop;
import org.springframework.web.bind.annotation.*;
import org.junit.jupiter.api.Test;
/** Orders. */
@RestController
@RequestMapping("/orders")
public class A extends B {
  private static final Logger log = 1;
  @GetMapping("/{id}")
  public Order get(long id) { log.info("got"); throw new NotFound("no order"); }
  @Test void works() { try { a.b().c(1); } catch (IOException e) {} System.getenv("X"); }
}
record Line(String id, int count) {}
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "A class true null Orders. @5-12",
        "log variable false A null @8",
        "get method true A null @9-10",
        "works method false A null @11",
        "Line class false null null @13"
      ]],
      ["import", ["style", "names"], [
        "org.springframework.web.bind.annotation.* static * @2",
        "org.junit.jupiter.api.Test static Test @3"
      ]],
      ["call", ["callee", "caller"], [
        "info log.info get @10",
        "NotFound NotFound get @10",
        "c a.b().c works @11",
        "b a.b works @11",
        "getenv System.getenv works @11"
      ]],
      ["route", ["handler", "framework"], ["GET /orders/{id} get spring @9"]],
      ["test", ["suite", "framework"], ["works A junit @11"]],
      ["environment", ["fallback", "required"], ["X null false @11"]],
      ["error", ["style", "message", "within"], ["NotFound throw no order get @10", "IOException catch null works @11"]],
      ["log", ["level", "message"], ["log info got @10"]],
      ["schema", ["style", "fields"], [
        "Line record [{\"name\":\"id\",\"type\":\"String\",\"required\":true},{\"name\":\"count\",\"type\":\"int\",\"required\":true}] @13"
      ]]
    ]
  },
  {
    path: "src/a.cpp",
    text: `#include "a.h"
#include <vector>
#define MAX 1
namespace shop { class A { void go() { run(1); } }; }
void shop::A::stop(int x) { a->b(1); throw std::runtime_error("no"); }
static char *text(void) { return getenv("X"); }
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "MAX macro true null null @3",
        "shop module true null null @4",
        "A class true shop null @4",
        "go method true A null @4",
        "stop function true A null @5",
        "text function false null null @6"
      ]],
      ["import", ["style", "names"], ["a.h static [] @1", "vector static [] @2"]],
      ["call", ["callee", "caller"], [
        "run run go @4",
        "b a->b stop @5",
        "runtime_error std::runtime_error stop @5",
        "getenv getenv text @6"
      ]],
      ["environment", ["fallback", "required"], ["X null false @6"]],
      ["error", ["style", "message", "within"], ["std::runtime_error throw no stop @5"]]
    ]
  },
  {
    path: "start.sh",
    text: `#!/bin/bash
source ./lib.sh
PORT=\${PORT:-3000}
start() { echo "x"; helper a; : "\${KEY:?no key}"; }
start
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], ["PORT variable false null null @3", "start function false null null @4"]],
      ["import", ["style", "names"], ["./lib.sh static [] @2"]],
      ["call", ["callee", "caller"], ["echo echo start @4", "helper helper start @4", "start start null @5"]],
      ["environment", ["fallback", "required"], ["PORT 3000 false @3", "KEY null true @4"]]
    ]
  },
  {
    path: "Orders.cs",
    text: `using Microsoft.AspNetCore.Mvc;
using X = Y.Z;
namespace Shop.Api;
[ApiController]
[Route("orders")]
public class Orders : Base {
  [HttpGet("{id}")]
  public Order Get(int id) { _logger.LogInformation("x {Id}", id); throw new NotFound("no"); try { a.B(); } catch (Exception e) { } }
  [Fact] public void Works() { new Foo(1); }
}
public interface I { void Q(); }
public enum E { A }
public record R(int A);
public struct S {}
// c
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "Orders class true null null @4-10",
        "Get method true Orders null @7-8",
        "Works method true Orders null @9",
        "I interface true null null @11",
        "Q method false I null @11",
        "E enum true null null @12",
        "R class true null null @13",
        "S class true null null @14"
      ]],
      ["import", ["style", "names"], ["Microsoft.AspNetCore.Mvc static [] @1", "Y.Z static [] @2"]],
      ["call", ["callee", "caller"], [
        "LogInformation _logger.LogInformation Get @8",
        "NotFound NotFound Get @8",
        "B a.B Get @8",
        "Foo Foo Works @9"
      ]],
      ["route", ["handler", "framework"], ["GET /orders/{id} Get asp.net @7"]],
      ["test", ["suite", "framework"], ["Works Orders xunit @9"]],
      ["error", ["style", "message", "within"], ["NotFound throw no Get @8", "Exception catch null Get @8"]],
      ["log", ["level", "message"], ["_logger info x {Id} @8"]]
    ]
  },
  {
    path: "src/A.php",
    text: `<?php
namespace App;
use App\\Models\\Order;
require_once 'x.php';
class A extends B { public function go(int $x) { $this->run(1); Log::info("x"); 
  throw new \\Exception("no"); helper(2); new Foo(1); getenv("X"); } }
interface I {}
trait T {}
enum E {}
function top() { try {} catch (Foo $e) {} }
const X = 1;
Route::get('/x', [A::class, 'go']);
#[Test]
function t() {}
// c
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "A class true null null @5-6",
        "go method true A null @5-6",
        "I interface true null null @7",
        "T class true null null @8",
        "E enum true null null @9",
        "top function true null null @10",
        "X constant true null null @11",
        "t function true null null @13-14"
      ]],
      ["import", ["style", "names"], ["App\\Models\\Order static Order @3", "x.php static [] @4"]],
      ["call", ["callee", "caller"], [
        "run $this->run go @5",
        "info Log::info go @5",
        "Exception \\Exception go @6",
        "helper helper go @6",
        "Foo Foo go @6",
        "getenv getenv go @6",
        "get Route::get null @12"
      ]],
      ["route", ["handler", "framework"], ["GET /x null laravel @12"]],
      ["test", ["suite", "framework"], ["t null phpunit @13-14"]],
      ["environment", ["fallback", "required"], ["X null false @6"]],
      ["error", ["style", "message", "within"], ["Exception throw no go @6", "Foo catch null top @10"]],
      ["log", ["level", "message"], ["Log info x @5"]]
    ]
  },
  {
    path: "lib/a.rb",
    text: `require "sinatra"
require_relative "./b"
module M
  class A < B
    LIMIT = 1
    def go(x)
      logger.info("x")
      raise ArgumentError, "no"
      run 1
    rescue Foo => e
    end
    def self.all; end
  end
end
get "/x" do
  Foo.new(1)
end
# c
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "M module true null null @3-14",
        "A class true M null @4-13",
        "LIMIT constant true A null @5",
        "go method true A null @6-11",
        "all method true A null @12"
      ]],
      ["import", ["style", "names"], ["sinatra static [] @1", "./b static [] @2"]],
      ["call", ["callee", "caller"], [
        "info logger.info go @7",
        "raise raise go @8",
        "run run go @9",
        "get get null @15",
        "new Foo.new null @16"
      ]],
      ["route", ["handler", "framework"], ["GET /x null sinatra @15"]],
      ["error", ["style", "message", "within"], ["ArgumentError throw no go @8", "Foo catch null go @10"]],
      ["log", ["level", "message"], ["logger info x @7"]]
    ]
  },
  {
    path: "contracts/Token.sol",
    text: `import { A } from "./A.sol";
contract Token is Base {
  event Sent(address to);
  error Bad(uint x);
  uint constant MAX = 1;
  mapping(address => uint) public balances;
  function send(address to) public returns (bool) { require(to != address(0), "no"); emit Sent(to); revert Bad(1); helper.go(2); }
  modifier only() { _; }
}
interface IT { function a() external; }
library L {}
struct S { uint a; }
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "Token class true null null @2-9",
        "Sent event true Token null @3",
        "Bad type true Token null @4",
        "MAX variable false Token null @5",
        "balances variable true Token null @6",
        "send method true Token null @7",
        "only method false Token null @8",
        "IT interface true null null @10",
        "a method true IT null @10",
        "L class true null null @11",
        "S type true null null @12"
      ]],
      ["import", ["style", "names"], ["./A.sol static A @1"]],
      ["call", ["callee", "caller"], ["require require send @7", "go helper.go send @7"]],
      ["error", ["style", "message", "within"], ["Bad throw null send @7", "require throw no send @7"]]
    ]
  },
  {
    path: "a.swift",
    text: `import Foundation
public class A: B { func go(_ x: Int) -> Int { print("a"); logger.info("x"); throw E.bad } }
struct S { var a: Int }
enum E: Error { case bad }
protocol P { func q() }
func top() { do { try x() } catch { } }
extension A { func ext() {} }
// c
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "A class true null null @2",
        "go method false A null @2",
        "S class false null null @3",
        "E class false null null @4",
        "P interface false null null @5",
        "q method false P null @5",
        "top function false null null @6",
        "ext method false A null @7"
      ]],
      ["import", ["style", "names"], ["Foundation static [] @1"]],
      ["call", ["callee", "caller"], ["print print go @2", "info logger.info go @2", "x x top @6"]],
      ["error", ["style", "message", "within"], ["E.bad throw null go @2", "any error catch null top @6"]],
      ["log", ["level", "message"], ["logger info x @2"]]
    ]
  },
  {
    path: "lib/a.dart",
    text: `import 'package:flutter/material.dart';
import './b.dart';
class A extends B { void go(int x) { print('a'); this.run(1); throw Exception('x'); } }
enum E { a }
int top(String s) => s.length;
void main() { try { top('a'); } catch (e) { } }
// c
`,
    facts: [
      ["symbol", ["kind", "exported", "container", "doc"], [
        "A class true null null @3",
        "go method true A null @3",
        "E enum true null null @4",
        "top function true null null @5",
        "main function true null null @6"
      ]],
      ["import", ["style", "names"], ["package:flutter/material.dart static [] @1", "./b.dart static [] @2"]],
      ["call", ["callee", "caller"], ["print print go @3", "run this.run go @3", "Exception Exception go @3", "top top main @6"]],
      ["error", ["style", "message", "within"], ["Exception throw x go @3", "e catch null main @6"]]
    ]
  }
]

for (const { facts, path, text } of samples) {
  describe(path, () => {
    for (const [kind, fields, lines] of facts) {
      it(`gives every ${kind}`, async () => {
        assert.deepStrictEqual(await linesOf(path, text, kind, ...fields), lines)
      })
    }
  })
}
