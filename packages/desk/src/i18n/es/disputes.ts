/** What the page of a dispute says. */
import type { DisputeTexts } from "../shapes/disputes.ts"

export const dispute: DisputeTexts = {
  title: "Disputa",
  dueBy: "Responder antes del",
  dueNote: "La respuesta se puede enviar una vez. Sin ella, la disputa se pierde al acabar el plazo.",
  closed: "No hay nada más que responder.",
  decided: "La disputa está cerrada",
  submitted: "Se enviaron las pruebas. Decide la red.",
  reason: "Motivo",
  network: "Red",
  claims: {
    fraudulent: "El titular de la tarjeta dice que no hizo el pago.",
    general: "El banco dice que el pago no se autorizó como debía.",
    duplicate: "El cliente dice que se le cobró dos veces o que pagó de otra forma.",
    product_not_received: "El cliente dice que no recibió lo que pagó.",
    product_unacceptable: "El cliente dice que lo recibido no es lo prometido.",
    subscription_canceled: "El cliente dice que canceló antes del cobro.",
    credit_not_processed: "El cliente dice que se prometió un reembolso y no llegó.",
    unknown: "El código de la red no se conoce aquí. Consúltelo en la lista de la red."
  },
  advice: {
    fraudulent: "Muestre que el titular participó: 3-D Secure, compras anteriores con el mismo dispositivo o dirección IP, " +
      "comprobaciones de dirección y código de seguridad, uso tras la compra.",
    general: "Muestre la autorización y el importe que el titular aceptó.",
    duplicate: "Muestre dos pedidos, cada uno con lo entregado y acordado, o el reembolso del segundo.",
    product_not_received: "Muestre la entrega en la dirección indicada, o un registro de acceso o descarga anterior a la disputa.",
    product_unacceptable: "Muestre la descripción al comprar, lo entregado, y que no se ofreció ni se hizo ninguna devolución.",
    subscription_canceled:
      "Muestre las condiciones de cancelación aceptadas, que no llegó ninguna, el uso posterior y el aviso antes de renovar.",
    credit_not_processed: "Muestre el reembolso, o las normas de reembolso aceptadas al comprar.",
    unknown: "Lea el motivo de la red y responda a lo que afirma."
  },
  helps: "Lo que ayuda",
  money: "Dinero",
  heldNow: "Retenido mientras está abierta",
  heldNothing: "Ya no se retiene nada",
  fee: "Comisión de la disputa",
  payment: "Pago",
  previous: "Disputa anterior",
  evidence: "Pruebas",
  given: "Lo aportado hasta ahora",
  none: "Aún no hay pruebas.",
  fields: {
    product_description: "Qué se vendió",
    customer_communication: "Qué escribió el cliente y qué se respondió",
    shipping_documentation: "Cómo y cuándo se entregó",
    access_activity_log: "Cuándo y desde dónde se usó",
    refund_policy: "Normas de reembolso que vio el cliente",
    cancellation_policy: "Normas de cancelación que vio el cliente",
    signed_agreement: "Lo que aceptó el cliente",
    compelling_evidence: "Pagos anteriores de este cliente que nadie disputó",
    other: "Otra cosa"
  },
  files: "Archivos",
  addFiles: "Añadir archivos",
  filesNote: "PDF, PNG o JPEG, como máximo 4 MiB cada uno.",
  tooLarge: "Los archivos juntos son demasiado grandes. Añádalos uno tras otro: como máximo 4 MiB cada uno.",
  save: "Guardar las pruebas",
  submit: "Guardar y enviar a la red",
  submitNote: "El envío no se puede deshacer.",
  accept: "Aceptar la disputa",
  acceptNote: "El cliente se queda el dinero y la comisión no se devuelve. Esto no se puede deshacer.",
  acceptSure: "Quiero que el cliente se quede el dinero",
  refused: "No se envió nada",
  timeline: "Cronología",
  entries: "Asientos del libro mayor",
  download: "Guardar"
}
