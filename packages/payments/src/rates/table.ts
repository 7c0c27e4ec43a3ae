/**
 * The built-in rates: rounded mid-market rates of one day, for quotes in a sandbox and for counting payments in other currencies against
 * budgets in dollars. An installation that exchanges real money gives the `Rates` service a layer with a provider of real rates.
 */
import type { RateTable } from "./model.ts"

/** Units for one US dollar. Currencies that are fixed to the dollar have their fixed rate. */
export const builtIn: RateTable = {
  date: "2026-11-20",
  source: "svc built-in reference rates",
  units: {
    USD: "1",
    AED: "3.6725",
    AUD: "1.532",
    BHD: "0.376",
    BRL: "5.36",
    CAD: "1.398",
    CHF: "0.804",
    CLP: "938",
    CNY: "7.112",
    COP: "3790",
    CZK: "20.95",
    DKK: "6.461",
    EGP: "47.4",
    EUR: "0.865",
    GBP: "0.762",
    HKD: "7.782",
    HUF: "331.5",
    IDR: "16690",
    ILS: "3.27",
    INR: "88.9",
    ISK: "127.1",
    JOD: "0.709",
    JPY: "155.2",
    KES: "129.3",
    KRW: "1465",
    KWD: "0.3068",
    MXN: "18.42",
    MYR: "4.155",
    NGN: "1446",
    NOK: "10.13",
    NZD: "1.776",
    OMR: "0.3845",
    PEN: "3.376",
    PHP: "58.9",
    PKR: "281",
    PLN: "3.665",
    QAR: "3.64",
    RON: "4.398",
    SAR: "3.75",
    SEK: "9.52",
    SGD: "1.304",
    THB: "32.42",
    TND: "2.948",
    TRY: "42.36",
    TWD: "31.2",
    UAH: "42.1",
    UYU: "39.7",
    VND: "26340",
    XAF: "567.4",
    XOF: "567.4",
    ZAR: "17.22"
  }
}
