import type { Messages } from "./shape.ts"

export const es: Messages = {
  common: {
    testMode: "Modo de prueba",
    back: (merchant) => `Volver a ${merchant}`,
    total: "Total",
    orderSummary: "Resumen del pedido",
    showItems: (count) => `Mostrar ${count} artículos`,
    legal: { label: "Información legal", terms: "Condiciones", privacy: "Privacidad", imprint: "Aviso legal" },
    wait: "Un momento…",
    gone: { title: "Esta página no existe", text: "Puede que la dirección esté incompleta. Vuelva a abrir el enlace donde lo encontró." },
    tooMany: {
      title: "Demasiados intentos",
      text: "Espere unos minutos y vuelva a cargar esta página. Este intento no ha supuesto ningún cargo."
    },
    broken: {
      title: "Algo ha salido mal",
      text: "El error es nuestro. Vuelva a cargar la página en un momento: indica si ha pagado, y nada se cobra dos veces."
    }
  },
  checkout: {
    title: (merchant) => `Pagar a ${merchant}`,
    subscribeTo: (merchant) => `Suscribirse a ${merchant}`,
    pay: (amount) => `Pagar ${amount}`,
    subscribe: "Suscribirse",
    startTrial: "Empezar la prueba",
    every: { weekly: "por semana", monthly: "al mes", quarterly: "por trimestre", annual: "al año" },
    trial: (days) => `${days} gratis`,
    thenEvery: (amount, period) => `Después, ${amount} ${period}`,
    dueToday: "A pagar hoy",
    renews: (amount, day, period) => `Hoy, ${day}, se cobran ${amount}, y después ${amount} ${period} hasta que cancele.`,
    renewsAfterTrial: (amount, day, period) =>
      `Hoy no se cobra nada. El ${day} se cobran ${amount}, y después ${amount} ${period} hasta que cancele.`,
    email: "Correo electrónico",
    emailInvalid: "Escriba una dirección de correo, por ejemplo ana@example.com.",
    method: "Forma de pago",
    card: "Tarjeta",
    cardFields: "Datos de la tarjeta",
    stablecoin: "USDC",
    stablecoinDetail: "Dólares digitales de su monedero",
    stablecoinNext: "Después, la página muestra el importe y sigue la transferencia hasta que se confirma.",
    bankTransfer: "Transferencia bancaria",
    bankTransferDetail: "Desde su cuenta bancaria",
    bankTransferNext: "Después, la página sigue la transferencia hasta que llega.",
    needsScript:
      "Para pagar con tarjeta, active JavaScript en su navegador y vuelva a cargar esta página. Los datos de su tarjeta van directamente al proveedor de pagos.",
    declined: "El pago no se ha realizado",
    notCharged: "No se le ha cobrado nada.",
    notConfirmed: "El pago no se ha confirmado.",
    unavailable: "Ahora mismo no se puede realizar el pago. No se le ha cobrado nada. Inténtelo de nuevo.",
    chooseAgain: "No se han podido usar los datos de la tarjeta. Escríbalos de nuevo.",
    processing: {
      title: "Confirmando su pago",
      text: "Suele tardar unos segundos. Puede dejar esta página abierta; no se le cobrará dos veces."
    },
    action: { title: "Un paso más", text: "Su banco le pide que confirme este pago.", go: "Continuar a su banco" },
    transfer: {
      title: "Esperando su transferencia",
      text: "Su transferencia está anunciada y falta su confirmación.",
      amount: "Importe",
      network: "Pagado con",
      status: "Estado",
      pending: "Pendiente de confirmación"
    },
    review: { title: "Se está revisando el pago", text: "Alguien lo revisa antes de realizarlo. Puede cerrar esta página." },
    paid: { title: "Gracias, hemos recibido su pago", text: (amount, merchant) => `Ha pagado ${amount} a ${merchant}.` },
    started: { title: "Su suscripción ha comenzado", text: (merchant) => `${merchant} ha recibido su pedido.` },
    startedTrial: {
      title: "Su prueba ha empezado",
      text: (merchant, amount, day) => `No se ha cobrado nada. ${merchant} cobrará ${amount} el ${day}, si no cancela antes.`
    },
    returnTo: (merchant) => `Volver a ${merchant}`,
    returning: (merchant) => `Volviendo a ${merchant}…`,
    expired: {
      title: "Esta página de pago ha caducado",
      text: (merchant) => `No se le ha cobrado nada. Pida un nuevo enlace a ${merchant}.`
    }
  },
  fields: {
    number: "Número de tarjeta",
    expiry: "Fecha de caducidad",
    expiryHint: "MM / AA",
    cvc: "Código de seguridad",
    numberMissing: "Escriba el número de la tarjeta.",
    numberUnknown: "Aquí solo se aceptan los números de prueba de abajo. Nunca escriba una tarjeta real.",
    expiryInvalid: "Escriba un mes y un año que no hayan pasado.",
    cvcInvalid: "Escriba los 3 o 4 dígitos de la tarjeta.",
    testCards: "Tarjetas de prueba",
    testCardsHint: "Aquí no funciona ninguna tarjeta real. Elija una para rellenar los campos.",
    outcomes: {
      approve: "Aprobada",
      declined: "Rechazada",
      require_action: "Pide confirmación",
      block: "Bloqueada por la regla antifraude",
      elsewhere: "Aprobada por el segundo proveedor",
      dispute: "Aprobada y reclamada después"
    }
  },
  action: {
    title: "Confirme su pago",
    bank: "Banco de prueba",
    question: (amount, merchant) => `¿Quiere pagar ${amount} a ${merchant}?`,
    confirm: "Confirmar el pago",
    refuse: "Rechazar",
    done: { title: "Confirmado", text: "El pago se ha confirmado. Puede cerrar esta página." },
    refused: { title: "Rechazado", text: "El pago no se ha confirmado y no se ha cobrado nada. Puede cerrar esta página." },
    over: { title: "Nada que confirmar", text: "Este pago no le está esperando. Ya se confirmó o se acabó su plazo." }
  },
  declines: {
    generic_decline: "La tarjeta ha sido rechazada. Pruebe con otra o pregunte el motivo a su banco.",
    insufficient_funds: "No hay saldo suficiente en la tarjeta. Pruebe con otra.",
    lost_card: "La tarjeta ha sido rechazada. Use otra tarjeta.",
    stolen_card: "La tarjeta ha sido rechazada. Use otra tarjeta.",
    expired_card: "La tarjeta ha caducado. Use otra.",
    incorrect_cvc: "El código de seguridad no es correcto. Compruébelo e inténtelo de nuevo.",
    processing_error: "El banco no ha podido procesar el pago. Inténtelo de nuevo en un momento.",
    do_not_honor: "El banco ha rechazado el pago sin decir por qué. Pruebe con otra tarjeta o pregunte a su banco.",
    card_velocity_exceeded: "La tarjeta ha alcanzado su límite por ahora. Pruebe con otra, o con esta mañana.",
    fraudulent: "La tarjeta ha sido rechazada. Use otra tarjeta.",
    authentication_required: "El pago no se ha confirmado con su banco. Inténtelo de nuevo y confírmelo.",
    currency_not_supported: "La tarjeta no puede pagar en esta moneda. Use otra.",
    card_not_supported: "La tarjeta no se acepta para este tipo de pago. Use otra."
  }
}
