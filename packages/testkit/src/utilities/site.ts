/** A small site, so that pages can be read without the internet. */
import { Effect } from "effect"
import { createServer } from "node:http"

const WORDS = "A refund goes back to the card that paid. It arrives within five days, and the bank tells the customer. ".repeat(8)
const page = (title: string, more: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head>` +
  `<body><article><h1>${title}</h1><p>${WORDS}</p>${more}</article></body></html>`

const pages: Readonly<Record<string, string>> = {
  "/": page("Refunds", "<p><a href=\"/cards\">Cards</a> and <a href=\"/banks\">banks</a></p>"),
  "/cards": page("Refunds to cards", "<p>A card is refunded by its network.</p>"),
  "/banks": page("Refunds to banks", "<p>A bank is refunded by a transfer.</p>")
}

/** Its address, until the scope ends. */
export const site = Effect.gen(function*() {
  const server = createServer(({ url = "" }, response) => {
    const html = pages[url]
    response.writeHead(html === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(html)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : ""}`
})
