import type { PictureTexts } from "../shapes/pictures.ts"

export const pictures: PictureTexts = {
  numbers: "Las cifras",
  day: "Día",
  captured: "Cobrado",
  refunded: "Reembolsado",
  payments: "Pagos",
  pending: "Pendiente",
  available: "Disponible",
  reserved: "Reservado",
  currency: "Moneda",
  volume: {
    title: (currency) => `Cobrado y reembolsado por día, ${currency}`,
    about: (captured, refunded) => `En total ${captured} cobrados y ${refunded} reembolsados.`
  },
  balances: {
    title: (currency) => `Saldos al final de cada día, ${currency}`,
    about: (pending, available, reserved) => `El último día: ${pending} pendientes, ${available} disponibles y ${reserved} reservados.`,
    before: "Antes"
  },
  flow: {
    title: "El dinero de este pago",
    about: (movements) => movements === 1 ? "Un movimiento entre los saldos." : `${movements} movimientos entre los saldos.`,
    outside: "Fuera",
    movement: (event, amount) => `${event} ${amount}`,
    now: "Retenido ahora de este pago",
    earlier: (count) =>
      count === 1 ? "Un movimiento anterior está solo en la tabla." : `${count} movimientos anteriores están solo en la tabla.`
  },
  moments: {
    title: "Qué pasa y cuándo",
    about: (past, ahead) => `${past} en el pasado, ${ahead} por venir.`,
    number: "N.º",
    what: "Qué",
    when: "Cuándo",
    state: "Estado",
    now: "Ahora",
    states: { done: "Hecho", good: "Correcto", bad: "Fallido", due: "Plazo", planned: "Previsto" },
    opened: "Disputa abierta",
    evidenceDue: "Pruebas pendientes",
    evidenceSent: "Pruebas enviadas",
    closed: (status) => `Decidida: ${status}`,
    cycleDue: "Cobro previsto",
    attempt: (number, outcome) => `Intento ${number}: ${outcome}`,
    nextAttempt: "Próximo intento",
    graceEnds: "Fin de la gracia",
    created: "Creado",
    sent: "Entregado al banco",
    settles: "Se liquida",
    ended: (status) => `Terminado: ${status}`
  }
}
