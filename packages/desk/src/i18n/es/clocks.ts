/** What the page of the test clock says. */
import type { ClockTexts } from "../shapes/clocks.ts"

export const clock: ClockTexts = {
  title: "Reloj de prueba",
  none: "Este entorno de pruebas vive con la hora del mundo",
  noneNote: "Con un reloj propio ve hoy lo que pasará dentro de un año: está parado hasta que lo adelanta, y nunca retrocede.",
  live: "Las cuentas reales no tienen reloj de prueba. Abra el panel de una cuenta de pruebas.",
  give: "Darle un reloj",
  now: "Momento actual de la cuenta",
  statuses: { ready: "parado", advancing: "en camino" },
  nextDue: "Próximo vencimiento",
  nothingDue: "No hay nada pendiente.",
  since: "Desde",
  advance: "Adelantar",
  by: { hour: "1 hora", day: "1 día", week: "1 semana", month: "1 mes" },
  toNext: "Hasta el próximo vencimiento",
  toMoment: "Adelantar hasta este momento",
  moment: "Momento (UTC)",
  watching: "El reloj está en camino. Esta página se actualiza sola.",
  stop: "Parar aquí",
  stopped: (reason) => `El último adelanto terminó antes: ${reason}.`,
  onTheWay: "Lo que pasó por el camino",
  lately: "Lo que pasó últimamente",
  nothingHappened: "No pasó nada.",
  more: "Pasó más; el registro de eventos lo tiene todo.",
  refused: "El reloj no se movió",
  remove: "Quitar el reloj",
  removeNote: "La cuenta vuelve a vivir con la hora del mundo. Solo es posible mientras nada dependa del reloj."
}
