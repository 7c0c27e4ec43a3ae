import { html } from "@svc/design/html"
import type { Messages } from "./shape.ts"

export const es: Messages = {
  testMode: "Modo de prueba",
  title: (merchant) => `Pagar a ${merchant}`,
  pay: (amount) => `Pagar ${amount}`,
  facts: { sold: "Por", tool: "Pedido por", account: "Cuenta", until: "Se puede pagar hasta" },
  credits: (count) => `${count} créditos`,
  plan: (name, credits, length) => `El plan ${name}: ${credits} créditos al mes, ${length}`,
  lengths: { endless: "se paga una vez, sin fin", month: "por un mes", months: (count) => `por ${count} meses` },
  callOf: (tool) => `una llamada de ${tool}`,
  chooseCard: "Aquí no se mueve dinero. Elija una tarjeta de prueba",
  cards: {
    visa: "Visa, aprobada",
    mastercard: "Mastercard, aprobada",
    declined: "Una tarjeta rechazada",
    poor: "Una tarjeta sin saldo suficiente"
  },
  declined: { title: "La tarjeta fue rechazada", text: "No se ha cobrado nada. Elija otra tarjeta." },
  paid: {
    title: "Pagado",
    credits: "Los créditos ya están en la cuenta.",
    call: "Envíe de nuevo la misma petición: se paga con los créditos de la cuenta.",
    plan: "Envíe de nuevo la misma petición: la pagan los créditos del plan.",
    purchase: (id) => `La compra es ${id}.`
  },
  pending: {
    title: "Confirmando su pago",
    text: "Aún no se sabe si el dinero ha llegado. Esta página lo comprueba por sí misma; no se cobra nada dos veces."
  },
  failed: {
    title: "No pagado",
    text:
      "Las tarjetas fueron rechazadas y esta página no acepta más. No se ha cobrado nada: repita la llamada para tener una página nueva."
  },
  expired: {
    title: "Caducada",
    text: "El plazo para pagar aquí ha terminado y no se ha cobrado nada. Repita la llamada para tener una página nueva."
  },
  held: { title: "Nada que pagar", text: "La cuenta ya tiene este plan, que no tiene fin." },
  noCards: {
    title: "Aquí no se aceptan tarjetas",
    text:
      "Esta instalación no acepta tarjetas para cuentas reales. La respuesta que indicó esta página dice cómo paga la llamada un monedero."
  },
  unknown: {
    title: "Esta página no existe",
    text: "La dirección no es de este servidor o le falta una parte. Repita la llamada: su respuesta indica una página."
  },
  unchosen: { title: "No se eligió ninguna tarjeta", text: "Vuelva atrás y elija una de las tarjetas. No se ha cobrado nada." },
  tooMany: { title: "Demasiados pagos", text: "Su red intenta demasiados pagos. Espere un poco; no se ha cobrado nada." },
  stranger: {
    title: "Esta llamada no pertenece a ninguna cuenta",
    costs: (tool, amount) => `${tool} cuesta ${amount}.`,
    text: "Se hizo sin clave, así que nadie sabe para qué cuenta pagar. No se ha cobrado nada.",
    open: (accounts, signup) => html`Abra una cuenta con ${accounts}, o deje que un agente se registre con ${signup}.`,
    again: (header) => html`Envíe la misma llamada con la clave en ${header}.`,
    pay: "Abra la página que indica su respuesta, o pague con un monedero como dice la respuesta."
  }
}
