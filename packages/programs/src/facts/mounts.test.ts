import { assert, describe, it } from "@effect/vitest"
import { projectIn } from "../testing/repository.ts"

const routesOf = async (files: Readonly<Record<string, string>>) =>
  (await projectIn(files)).facts("route").map(({ evidence, subject }) => [subject, evidence.map(({ path }) => path)])

describe("a router that is mounted in another file", () => {
  it("has its routes below the path, and names both places", async () => {
    assert.deepStrictEqual(
      await routesOf({
        "app.js": `const express = require("express")\nconst pay = require("./pay")\nconst app = express()\napp.use("/payments", pay)\n`,
        "pay.js": `const { Router } = require("express")\nconst router = Router()\nrouter.get("/:id", find)\nmodule.exports = router\n`
      }),
      [["GET /payments/:id", ["pay.js", "app.js"]]]
    )
  })

  it("may stand within another", async () => {
    assert.deepStrictEqual(
      await routesOf({
        "app.ts": `import express from "express"\nimport { v1 } from "./v1.ts"\nconst app = express()\napp.use("/v1", v1)\n`,
        "v1.ts": `import { Router } from "express"\nimport { pay } from "./pay.ts"\nexport const v1 = Router()\nv1.use("/pay", pay)\n`,
        "pay.ts": `import { Router } from "express"\nexport const pay = Router()\npay.post("/", make)\n`
      }),
      [["POST /v1/pay", ["pay.ts", "app.ts", "v1.ts"]]]
    )
  })

  it("is found in a circle of files, which ends", async () => {
    const circle = (other: string) =>
      `import { Router } from "express"
import { ${other} } from "./${other}.ts"
export const r = Router()
r.use("/x", ${other})
r.get("/y", f)
`
    assert.isNotEmpty(await routesOf({ "a.ts": circle("b"), "b.ts": circle("a") }))
  })

  it("of FastAPI comes with its module", async () => {
    assert.deepStrictEqual(
      await routesOf({
        "app/main.py":
          "from fastapi import FastAPI\nfrom . import mails\napp = FastAPI()\napp.include_router(mails.router, prefix=\"/mails\")\n",
        "app/mails.py": "from fastapi import APIRouter\nrouter = APIRouter()\n@router.get(\"/{id}\")\ndef find(id):\n    return id\n",
        "app/__init__.py": ""
      }),
      [["GET /mails/{id}", ["app/mails.py", "app/main.py"]]]
    )
  })
})
