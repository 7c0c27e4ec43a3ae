import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: "openapi.yaml",
    text: `
openapi: 3.1.0
paths:
  /orders/{id}:
    parameters: []
    get:
      operationId: getOrder
    delete: {}
components:
  schemas:
    Order:
      required: [id]
      properties:
        id: { type: string }
        lines: { type: array, items: { $ref: "#/components/schemas/Line" } }
        state: { enum: [open, paid] }
`,
    facts: `
5-6 route GET /orders/{id}: method=GET, path=/orders/{id}, handler=getOrder, framework=openapi
7 route DELETE /orders/{id}: method=DELETE, path=/orders/{id}, framework=openapi
10-15 schema Order: style=openapi, fields=[id string true; lines Line[] false; state open | paid false]
`
  },
  {
    path: "order.schema.json",
    text: `
{
  "title": "Order",
  "properties": { "id": { "type": ["string", "null"] } },
  "$defs": { "Line": { "properties": { "sku": { "type": "string" } }, "required": ["sku"] } }
}
`,
    facts: `
1-5 schema Order: style=json-schema, fields=[id string | null false]
4 schema Line: style=json-schema, fields=[sku string true]
`
  },
  {
    path: "data.json",
    text: `
{ "openapi-like": false }
`,
    facts: `
`
  },
  {
    path: "db/001.sql",
    text: `
-- CREATE TABLE not_this (id int);
CREATE TABLE IF NOT EXISTS "shop"."orders" (
  id bigint PRIMARY KEY,
  total numeric(12, 2) NOT NULL DEFAULT 0, -- in cents (
  note text DEFAULT 'a, b)',
  CONSTRAINT positive CHECK (total > 0)
);
create temp table lines (sku text);
`,
    facts: `
2-7 schema shop.orders: style=sql, fields=[id bigint true; total numeric(12, 2) true; note text false]
8 schema lines: style=sql, fields=[sku text false]
`
  },
  {
    path: "api/shop.proto",
    text: `
syntax = "proto3";
// message Not {}
message Order {
  string id = 1;
  repeated Line lines = 2;
  map<string, int32> counts = 3;
  message Line { string sku = 1; }
}
service Shop {
  rpc Get(GetRequest) returns (Order);
  rpc List(ListRequest) returns (stream Order) { option x = "}"; }
}
`,
    facts: `
3-8 schema Order: style=protobuf, fields=[id string false; lines Line[] false; counts map<string, int32> false]
7 schema Line: style=protobuf, fields=[sku string false]
10 route RPC /Shop/Get: method=RPC, path=/Shop/Get, handler=Get, framework=grpc
11 route RPC /Shop/List: method=RPC, path=/Shop/List, handler=List, framework=grpc
`
  },
  {
    path: "schema.graphql",
    text: `
"""An { order }."""
type Order implements Node @key(fields: "id") {
  id: ID!
  lines(first: Int = 10): [Line!]!
  note: String # none
}
extend type Query { order(id: ID!): Order }
`,
    facts: `
2-6 schema Order: style=graphql, fields=[id ID! true; lines [Line!]! true; note String false]
7 schema Query: style=graphql, fields=[order Order false]
`
  }
]

describe("schemas and routes", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
