import type { PortalMessages } from "./shape.ts"

export const es: PortalMessages = {
  title: (merchant) => `Su cuenta en ${merchant}`,
  nav: { label: "Cuenta", overview: "Resumen", invoices: "Facturas", methods: "Métodos de pago" },
  backToOverview: "Volver al resumen",
  noSubscriptions: { title: "Todavía no hay suscripción", text: "Cuando se suscriba, aquí encontrará todo sobre ella." },
  details: {
    title: "Sus datos",
    name: "Nombre",
    nameInvalid: "Escriba un nombre en una línea, de 200 caracteres como máximo.",
    cardNumber: "No escriba aquí un número de tarjeta.",
    save: "Guardar"
  },
  status: { trialing: "Prueba", active: "Activa", past_due: "Pago atrasado", paused: "En pausa", canceled: "Terminada" },
  facts: {
    next: "Próximo pago",
    nextOn: (amount, day) => `${amount} el ${day}`,
    method: "Se paga con",
    trialUntil: (day) => `Gratis hasta el ${day}`,
    endsOn: (day) => `Dura hasta el ${day} y no se renueva`,
    endedOn: (day) => `Terminada el ${day}`,
    paused: "No se cobra nada durante la pausa",
    changesTo: (plan, day) => `Cambia a ${plan} el ${day}`,
    changing: (plan) => `Cambia a ${plan} en cuanto se confirme el pago`,
    credit: (amount) => `Tiene un saldo a favor de ${amount} para él`,
    noMethod: "Todavía no hay método de pago"
  },
  pastDue: {
    title: "Su último pago no se completó",
    text: (amount) => `Quedan ${amount} por pagar.`,
    retry: (day) => `Lo intentaremos de nuevo el ${day}.`,
    stopped: "No se intentará de nuevo automáticamente.",
    update: "Cambie su tarjeta para pagar ahora y conservar su suscripción.",
    ask: (merchant) => `Póngase en contacto con ${merchant} para conservar su suscripción.`
  },
  actions: {
    changeDetails: "Cambiar mis datos",
    changePlan: "Cambiar de plan",
    cancel: "Cancelar la suscripción",
    uncancel: "Conservar la suscripción",
    pause: "Pausar",
    resume: "Reanudar",
    updateCard: "Cambiar la tarjeta"
  },
  invoices: {
    title: "Facturas",
    none: "Todavía no hay facturas.",
    status: { draft: "Borrador", open: "Por pagar", paid: "Pagada", void: "Anulada", uncollectible: "No pagada" },
    pdf: (number) => `Factura ${number} en PDF`,
    pdfShort: "PDF",
    view: (number) => `Ver la factura ${number}`,
    viewShort: "Ver",
    pay: (amount) => `Pagar ${amount}`,
    older: "Facturas anteriores",
    newer: "Facturas más recientes"
  },
  methods: {
    title: "Métodos de pago",
    none: "No hay ningún método de pago guardado.",
    ending: (brand, digits) => `${brand} terminada en ${digits}`,
    otherKind: { card: "Tarjeta", bank_account: "Cuenta bancaria", usdc_wallet: "Cartera USDC" },
    expires: (date) => `Caduca en ${date}`,
    expired: (date) => `Caducó en ${date}`,
    defaultMethod: "Se usa para los pagos",
    add: "Usar otra tarjeta",
    addText: "Los próximos pagos se harán con esta tarjeta.",
    addOwing: (amount) => `Hay ${amount} atrasados, que se cobrarán ahora en esta tarjeta.`,
    save: "Guardar la tarjeta",
    savePaying: (amount) => `Guardar la tarjeta y pagar ${amount}`
  },
  plan: {
    title: "Cambiar de plan",
    choose: "Elija su plan",
    current: "Su plan",
    none: "No hay otro plan al que cambiar.",
    next: "Continuar",
    unchosen: "Elija primero un plan.",
    previewTitle: (plan) => `Cambiar a ${plan}`,
    from: "Ahora",
    to: "Nuevo",
    starts: "Comienza",
    atOnce: "De inmediato",
    unused: (plan) => `Tiempo no usado de ${plan}`,
    rest: (plan) => `Tiempo restante de ${plan}`,
    period: (plan) => plan,
    earlier: "De cambios anteriores",
    credit: "Su saldo a favor",
    carried: "Queda como saldo a favor para su próximo pago",
    span: (from, to) => `del ${from} al ${to}`,
    lines: "Cómo se compone el importe",
    dueNow: "A pagar ahora",
    nothingNow: "Ahora no se cobra nada.",
    onNext: (day) => `Se suma a su pago del ${day}`,
    lessNext: (day) => `Se descuenta de su pago del ${day}`,
    thenFrom: (price, day) => `${price} a partir del ${day}`,
    confirm: "Confirmar el cambio",
    confirmPaying: (amount) => `Cambiar y pagar ${amount}`,
    undo: "Conservar mi plan",
    undoText: (plan) => `Sigue con ${plan}, y el cambio previsto no se hace.`,
    holds: "Este importe vale durante una hora."
  },
  cancel: {
    title: (plan) => `¿Cancelar ${plan}?`,
    text: (day) => `Dura hasta el ${day}, como lo ha pagado, y no se renueva. Hasta entonces puede cambiar de idea.`,
    owed: (amount) => `Ese día se cobrarán ${amount} de cambios anteriores.`,
    pastDue: "El pago atrasado no se intentará de nuevo automáticamente.",
    confirm: "Cancelar la suscripción",
    keep: "Conservarla"
  },
  pause: {
    title: (plan) => `¿Pausar ${plan}?`,
    text: "No se cobra nada hasta que la reanude.",
    left: (days) => `Conserva lo que ya ha pagado: ${days}.`,
    unpaid: "El pago atrasado ya no se pide, y el tiempo correspondiente no se conserva.",
    confirm: "Pausar la suscripción"
  },
  resume: {
    title: (plan) => `¿Reanudar ${plan}?`,
    text: (day) => `Continúa de inmediato. El próximo pago vence el ${day}.`,
    confirm: "Reanudar la suscripción"
  },
  pay: {
    title: (number) => `Pagar la factura ${number}`,
    with: "Se paga con",
    confirm: (amount) => `Pagar ${amount}`,
    other: "Usar otra tarjeta",
    once: "Esta tarjeta paga esta factura y no se usará para las siguientes."
  },
  done: {
    planChanged: { title: "Su plan ha cambiado", text: (plan) => `Ahora tiene ${plan}.` },
    planScheduled: { title: "Su plan va a cambiar", text: (plan, day) => `Conserva su plan hasta el ${day}. Desde entonces será ${plan}.` },
    planKept: { title: "Su plan sigue igual", text: (plan) => `Sigue con ${plan}.` },
    planPending: {
      title: "Su pago se está confirmando",
      text: "Después cambiará su plan. Puede cerrar esta página; nada se cobra dos veces."
    },
    planDeclined: { title: "El pago no se completó", text: "Su plan no ha cambiado y no se le ha cobrado nada." },
    cancelled: { title: "Su suscripción está cancelada", text: (day) => `Dura hasta el ${day}. Después no se renueva nada.` },
    uncancelled: { title: "Su suscripción continúa", text: (day) => `Se renueva el ${day}, como antes.` },
    paused: { title: "Su suscripción está en pausa", text: "No se cobra nada hasta que la reanude." },
    resumed: { title: "Su suscripción continúa", text: (day) => `El próximo pago vence el ${day}.` },
    cardSaved: { title: "Su tarjeta se ha guardado", text: "Los próximos pagos se harán con ella." },
    cardPaid: {
      title: "Su tarjeta se ha guardado y el pago se ha completado",
      text: (amount) => `Se han pagado ${amount}. Su suscripción continúa.`
    },
    cardDeclined: {
      title: "Su tarjeta se ha guardado, pero el pago no se completó",
      text: (amount) => `Quedan ${amount} por pagar. Use otra tarjeta o pregunte el motivo a su banco.`
    },
    paid: { title: "Gracias, hemos recibido su pago", text: (amount) => `Ha pagado ${amount}.` },
    payDeclined: {
      title: "El pago no se completó",
      text: (amount) => `Quedan ${amount} por pagar y no se le ha cobrado nada. Use otra tarjeta o pregunte el motivo a su banco.`
    },
    pending: {
      title: "Su pago se está confirmando",
      text: "Suele tardar unos segundos. Puede cerrar esta página; nada se cobra dos veces."
    }
  },
  changedMeanwhile: {
    title: "Algo ha cambiado",
    text: "Su suscripción ha cambiado desde que se mostró esta página. No se ha cobrado nada. Vuelva a mirar."
  },
  notAllowed: { title: "Esto no se puede hacer aquí", text: "No se ha cambiado nada." },
  notPossible: {
    title: "Esto no es posible ahora",
    text: "No se ha cambiado ni cobrado nada. En el resumen verá cómo está su suscripción."
  },
  noCard: "No se pudieron usar los datos de la tarjeta. Introdúzcalos de nuevo.",
  expired: {
    title: "Esta página ha caducado",
    text: (merchant) => `Por su seguridad vale durante una hora. Ábrala de nuevo desde ${merchant}.`
  },
  revoked: { title: "Esta página se ha cerrado", text: (merchant) => `Ya no funciona. Ábrala de nuevo desde ${merchant}.` }
}
