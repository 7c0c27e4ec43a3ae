import type { HomeTexts } from "../shapes/home.ts"

const of = (count: number, one: string, many: string): string => count === 1 ? one : `${count} ${many}`

export const home: HomeTexts = {
  attention: {
    title: "Por hacer",
    none: "No hay nada por hacer.",
    kinds: {
      webhook_endpoint_failing: (count) => `El destino de los webhooks no acepta sus envíos: ${of(count, "uno fallido", "fallidos")}.`,
      payout_failed: () => "Una transferencia falló y el dinero ha vuelto.",
      dispute_due: () => "Una disputa espera pruebas.",
      reconciliation_mismatch: (count) =>
        of(count, "Una línea de un extracto no coincide con los libros.", "líneas de un extracto no coinciden con los libros."),
      ledger_broken: () => "La verificación del libro mayor encontró una rotura.",
      approval_waiting: () => "Un pago espera aprobación.",
      second_look_waiting: () => "Lo que pidió una persona espera a una segunda."
    },
    since: "Desde",
    due: "Hasta",
    other: (kind, count) => `${kind.replaceAll("_", " ")}: ${count}`
  },
  volume: {
    title: "Volumen",
    today: "Hoy",
    month: "Últimos 30 días",
    payments: (count) => of(count, "un pago", "pagos"),
    refunded: "reembolsado",
    none: "No se cobró nada en los últimos 30 días.",
    counting: "Los días anteriores aún se están sumando."
  },
  balances: { title: "Saldos", pending: "Pendiente", available: "Disponible", reserved: "Reservado" },
  latest: { title: "Últimos pagos", all: "Todos los pagos" },
  mail: {
    subject: (account, count) => count === 1 ? `${account}: algo le espera` : `${account}: ${count} cosas le esperan`,
    greeting: (account) => `Esto está por hacer en ${account}:`,
    open: "Abrir el panel",
    why: "Recibe este correo una vez por cada punto, porque su función puede ocuparse de ello."
  }
}
