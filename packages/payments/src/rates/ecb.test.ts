import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { readReferenceRates } from "./ecb.ts"

const read = (text: string) => Effect.runSync(Effect.result(readReferenceRates(text)))

/** As the bank writes it, with other rates. */
export const daily = (date: string, rates: Readonly<Record<string, string>>) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='${date}'>
${Object.entries(rates).map(([currency, rate]) => `			<Cube currency='${currency}' rate='${rate}'/>`).join("\n")}
		</Cube>
	</Cube>
</gesmes:Envelope>`

const good = daily("2026-11-20", { USD: "1.1561", JPY: "179.42", GBP: "0.88095", BGN: "1.9558" })

describe("the reference rates of the European Central Bank", () => {
  it("are read from the daily file, against the euro", () => {
    assert.deepStrictEqual(Result.getOrThrow(read(good)), {
      date: "2026-11-20",
      source: "European Central Bank, euro foreign exchange reference rates",
      units: { EUR: "1", USD: "1.1561", JPY: "179.42", GBP: "0.88095" }
    })
  })

  it("are those of the newest day where a file has more, in any order and quoted either way", () => {
    const days = ["2026-11-19", "2026-11-20", "2026-08-24"].map((day, at) =>
      `<Cube time="${day}"><Cube currency="USD" rate="1.15${at}"></Cube></Cube>`
    )
    const table = Result.getOrThrow(read(`\uFEFF<?xml version="1.0"?><!-- 90 days --><E><Cube>${days.join("")}</Cube></E>`))
    assert.deepInclude(table, { date: "2026-11-20", units: { EUR: "1", USD: "1.151" } })
  })

  it.each([
    ["nothing", ""],
    ["no XML", "USD 1.1561"],
    ["an error page", "<html><body><p>Service unavailable</body></html>"],
    ["no day", "<Cube></Cube>"],
    ["a day without rates", daily("2026-11-20", {})],
    ["a day that there is not", daily("2026-02-30", { USD: "1.1" })],
    ["what is cut off", good.slice(0, good.length - 30)],
    ["half a tag at the end", good.slice(0, good.indexOf("rate='179"))],
    ["tags that do not nest", "<a><Cube time='2026-11-20'><Cube currency='USD' rate='1'/></a></Cube>"],
    [
      "a rate outside a day",
      "<Cube><Cube currency='USD' rate='1.1'/><Cube time='2026-11-20'><Cube currency='JPY' rate='1'/></Cube></Cube>"
    ],
    ["a currency twice", good.replace("JPY", "USD")],
    ["a rate of nothing", daily("2026-11-20", { USD: "0" })],
    ["a negative rate", daily("2026-11-20", { USD: "-1" })],
    ["a rate with a comma", daily("2026-11-20", { USD: "1,1" })],
    ["a rate that is none", daily("2026-11-20", { USD: "N/A" })],
    ["a document type", good.replace("<gesmes:Envelope", "<!DOCTYPE x [<!ENTITY a \"1\">]><gesmes:Envelope")],
    ["an entity", good.replace("1.1561", "&a;")],
    ["a section of its own", good.replace("<Cube>", "<![CDATA[x]]><Cube>")]
  ])("are not made of %s", (_, text) => {
    const result = read(text)
    assert.isTrue(Result.isFailure(result) && result.failure.message.startsWith("This is no file of reference rates: "))
  })

  it.prop("are whole or refused, wherever the file is changed", [Schema.Natural, Schema.String], ([at, text]) => {
    const place = at % good.length
    const result = read(good.slice(0, place) + text + good.slice(place + text.length))
    if (Result.isSuccess(result)) { for (const decimal of Object.values(result.success.units)) assert.match(decimal, /^\d+(\.\d+)?$/) }
  })

  it("cost little where somebody made the file to cost much", () => {
    for (
      const bad of [
        "<Cube ".repeat(40_000),
        `<Cube ${"a='' ".repeat(40_000)}`,
        "<".repeat(200_000),
        `<!--${"-".repeat(200_000)}`,
        " ".repeat(400_000)
      ]
    ) read(bad)
  })
})
