/** Card numbers that providers publish for tests, and how people and programs write them. */

/**
 * From the test pages of Stripe, Adyen, Braintree, Cybersource, Authorize.Net, PayPal, Worldpay, PAYONE, iyzico, PayU, Cashfree and
 * Flutterwave. What they list besides is not looked for: Visa of 13 digits, Maestro of 12 to 15, UATP, gift cards and cards of single
 * shops.
 */
export const testNumbers: ReadonlyArray<string> = [
  // Visa
  "4242424242424242",
  "4000056655665556",
  "4111111111111111",
  "4012888888881881",
  "4000000000000002",
  "4000003800000446",
  "4444333322221111",
  "4988438843884305",
  "4917610000000000",
  "4001020000000009",
  "4035501000000008",
  "4871049999999910",
  "4111141011111111116",
  "4013250000000000006",
  // Mastercard
  "5555555555554444",
  "5200828282828210",
  "5105105105105100",
  "5424000000000015",
  "5577000055770004",
  "2223003122003222",
  "2222400070000005",
  "2720990000000015",
  // American Express
  "378282246310005",
  "371449635398431",
  "378734493671000",
  "340000000000009",
  "370000000000002",
  // Discover
  "6011111111111117",
  "6011000990139424",
  "6011981111111113",
  "6445644564456445",
  "6011601160116611",
  "6555900000604105",
  // Diners Club
  "3056930009020004",
  "36227206271667",
  "30569309025904",
  "38520000023237",
  "36006666333344",
  "36259600000004",
  "36070500001020",
  // JCB
  "3566002020360505",
  "3530111333300000",
  "3528000000000007",
  "3566111111111113",
  "3088000000000017",
  // UnionPay
  "6200000000000005",
  "6200000000000047",
  "6205500000000000004",
  "8171999927660000",
  "8171999900000000021",
  "6243030000000001",
  // Maestro, Bancontact, Laser, Switch, Dankort
  "6759649826438453",
  "6799990100000000019",
  "6771798021000008",
  "5000550000000029",
  "6304000000000000",
  "6703444444444449",
  "67030000000000003",
  "5890040000000016",
  "586824160825533338",
  "6759560045005727054",
  "5641821111166669",
  "6331101999990016",
  "5019717010103742",
  "630490017740292441",
  "6771830000000000006",
  "5818775818772285",
  "5000000000000611",
  "6759411100000008",
  // Mir, RuPay, Elo, Hiper, Hipercard, Verve, Troy
  "2200000000000004",
  "2202474301322987",
  "6074825972083818",
  "6082015309577308",
  "5066991111111118",
  "6362970000457013",
  "6370950000000005",
  "6062828888666688",
  "5061460410120223210",
  "5061460166976054667",
  "5060666666666666666",
  "507850785078507812",
  "9792030000000000",
  "6501700194147183"
]

const inGroups = (number: string, sizes: ReadonlyArray<number>): ReadonlyArray<string> => {
  let at = 0
  return sizes.map((size) => number.slice(at, at += size))
}
const fours = (
  length: number
): ReadonlyArray<number> => [...Array<number>(Math.floor(length / 4)).fill(4), ...(length % 4 === 0 ? [] : [length % 4])]
const layoutsOf = (
  length: number
): ReadonlyArray<ReadonlyArray<number>> => [
  fours(length),
  ...(length === 14 ? [[4, 6, 4]] : length === 15 ? [[4, 6, 5]] : length === 19 ? [[6, 13]] : [])
]

const signs = [" ", "-", "\u00a0", "\u202f", "\u2010", "\u2011", "\u2013"]

/** Together, and in each layout of its length with each sign between the groups. */
export const spellings = (
  number: string
): ReadonlyArray<string> => [
  number,
  ...layoutsOf(number.length).flatMap((sizes) => signs.map((sign) => inGroups(number, sizes).join(sign)))
]

/** Where it may stand in a text. */
export const sentences = (number: string): ReadonlyArray<string> => [
  number,
  `card ${number}`,
  `paid with ${number}.`,
  `(${number})`,
  `pan=${number}&cvc=123`,
  `12,${number},12/27`,
  `VISA: ${number} 12/27`,
  `${number} 123`,
  `${number} 1227`,
  `1 ${number}`,
  `order 2026 ${number}`,
  `2026-11-21 ${number}`,
  `test_${number}`,
  `card-${number}-x`,
  `"${number}"`,
  `line\n${number}\nline`,
  `\t${number}`,
  `\u5361\u53f7${number}`,
  `no. ${number}`,
  `+${number}`,
  `%B${number}^DOE/JANE^27121010000000000000?`,
  `%b${number}^`,
  `;${number}=27121010000000000000?`
]
