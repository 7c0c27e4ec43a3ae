/** What the page of a payment says. */
import type { PaymentTexts } from "../shapes/payments.ts"

const ANOTHER_CARD = "Pida otra tarjeta."
const CALL_BANK = "Pida al cliente que llame a su banco."

export const payment: PaymentTexts = {
  title: "Pago",
  summary: "Resumen",
  captured: "Cobrado",
  refunded: "Reembolsado",
  disputed: "Disputado",
  fee: "Comisión",
  held: "Retenido",
  customer: "Cliente",
  method: "Método de pago",
  rail: "Vía de pago",
  reference: "Referencia del proveedor",
  conversion: "Convertido a",
  reason: "Motivo",
  declined: "El pago fue rechazado",
  declines: {
    generic_decline: { why: "El banco rechazó sin dar motivo.", next: "Pida al cliente que llame a su banco o pague de otra forma." },
    insufficient_funds: {
      why: "No hay bastante dinero en la cuenta del cliente, o se alcanzó su límite.",
      next: "Pida otra tarjeta o inténtelo dentro de unos días."
    },
    lost_card: { why: "La tarjeta se denunció como perdida.", next: `No vuelva a probar esta tarjeta. ${ANOTHER_CARD}` },
    stolen_card: {
      why: "La tarjeta se denunció como robada.",
      next: "No vuelva a probar esta tarjeta. Revise el pedido antes de enviar nada."
    },
    expired_card: { why: "La tarjeta ha caducado.", next: "Pida al cliente su tarjeta nueva." },
    incorrect_cvc: { why: "El código de seguridad es incorrecto.", next: "Pida al cliente que lo escriba de nuevo." },
    processing_error: { why: "El proveedor no pudo procesar el pago.", next: "Inténtelo dentro de unos minutos: no se cobró nada." },
    do_not_honor: { why: "El banco no acepta la tarjeta y no dio motivo.", next: CALL_BANK },
    card_velocity_exceeded: {
      why: "La tarjeta se usó demasiado a menudo, o por demasiado, en poco tiempo.",
      next: "Espere un día o pida otra tarjeta."
    },
    fraudulent: {
      why: "El banco o el proveedor lo considera fraude.",
      next: "No lo intente de nuevo. Revise antes el pedido y al cliente."
    },
    authentication_required: {
      why: "El banco quiere que el cliente confirme el pago.",
      next: "Haga pasar al cliente por un checkout, donde el banco pueda preguntarle."
    },
    currency_not_supported: { why: "La tarjeta no acepta esta moneda.", next: "Cobre en otra moneda o pida otra tarjeta." },
    card_not_supported: { why: "La tarjeta no sirve para este tipo de pago.", next: ANOTHER_CARD }
  },
  standings: {
    blocked: {
      why: "La regla antifraude del proveedor lo detuvo. No se cobró nada.",
      next: "Revise el pedido y después apruebe o rechace el pago."
    },
    requires_action: {
      why: "El cliente tiene que confirmar el pago con su banco.",
      next: "Espere, o envíe otra vez el enlace al cliente."
    },
    async_rail: {
      why: "La vía confirma más tarde, como hacen las cadenas de bloques y las transferencias.",
      next: "Espere. Cambia solo."
    },
    unknown_outcome: {
      why: "El proveedor no dijo qué fue de la última llamada.",
      next: "Espere: se vuelve a preguntar al proveedor. No cobre dos veces al cliente."
    },
    requires_approval: { why: "Supera un límite y espera a una persona.", next: "Apruébelo o rechácelo." },
    failed: { why: "El pago falló. No se cobró nada.", next: "Lea los intentos de abajo; se puede hacer un pago nuevo." }
  },
  next: "Qué hacer ahora",
  timeline: "Cronología",
  created: "Creado",
  attempted: (rail, outcome) => `Probado con ${rail}: ${outcome}`,
  refund: (status) => `Reembolso: ${status}`,
  cancelled: "Cancelado: ya no se retiene nada",
  waits: "Un reembolso espera a una segunda persona",
  waitsText: "se pidió:",
  disputeOpened: "Disputa abierta",
  disputeClosed: (status) => `Disputa: ${status}`,
  settlementQueued: "Liquidación prevista",
  settlementDone: "Liquidación completada: el dinero está disponible",
  attempts: "Intentos",
  noAttempts: "Aún no se ha probado ninguna vía.",
  amount: "Importe",
  outcome: "Resultado",
  decline: "Código de rechazo",
  because: "Por qué",
  score: "Puntuación",
  at: "Hora",
  routing: "Elección de la vía",
  routingNote: "Las vías se prueban de mayor a menor puntuación; una con 0 se descarta.",
  result: "Resultado",
  chosen: "elegida",
  leftOut: "descartada",
  eligible: "posible",
  rule: "Regla",
  matched: "Se aplica",
  routingReasons: {
    usual: "orden habitual",
    allHold: "se cumplen todas las condiciones",
    notInstalled: "no instalada",
    doesNotTake: (what) => `no acepta: ${what}`,
    byRule: (name) => `según la regla ${name}`,
    differs: (what, is, asked) => `${what}: ${is} en lugar de ${asked}`,
    below: (limit) => `el importe es inferior a ${limit}`,
    above: (limit) => `el importe es superior a ${limit}`,
    isNot: (name, asked) => `${name} no es ${asked}`,
    notGiven: "sin indicar",
    currency: "moneda",
    country: "país",
    method: "método de pago"
  },
  entries: "Asientos del libro mayor",
  noEntries: "Aún no hay asientos.",
  event: "Evento",
  available: "Disponible",
  pending: "Pendiente",
  reserved: "Reservado",
  links: "Relacionado",
  dispute: "Disputa",
  settlement: "Liquidación",
  metadata: "Metadatos"
}
