import type { Messages } from "./shape.ts"

export const es: Messages = {
  testMode: "Modo de prueba",
  gone: { title: "Esta página no existe", text: "Puede que la dirección esté incompleta. Abra el enlace de nuevo donde lo encontró." },
  tooMany: {
    title: "Demasiados intentos",
    text: "Espere unos minutos y vuelva a cargar la página. Lo último que envió no se ha guardado."
  },
  broken: {
    title: "Algo ha fallado",
    text: "El error es nuestro. Vuelva a cargar la página en un momento: indica si sus datos han llegado."
  },
  notOwn: {
    title: "Este formulario está desactualizado",
    text: "No se ha guardado nada. Abra el enlace de nuevo y rellene el formulario allí."
  },
  expired: {
    title: "Esta página ha caducado",
    text: "Fue válida durante una hora y no se ha guardado nada. Pida otro enlace a quien se lo envió."
  },
  check: { title: "Revise sus datos", text: "Todavía no se ha guardado nada. Los campos de abajo indican qué hay que corregir." },
  optional: (label) => `${label} (opcional)`,
  choose: "Elija…",
  cardNumber: "Esto parece un número de tarjeta. No lo escriba aquí.",
  bank: {
    title: "Cuenta bancaria para los pagos",
    lead: (account) =>
      `Los pagos de ${account} van a esta cuenta. El número se guarda cifrado y después solo se muestran sus cuatro últimos caracteres.`,
    holder: "Titular de la cuenta",
    country: "País del banco",
    currency: "Moneda",
    number: "IBAN o número de cuenta",
    routing: "Código del banco o BIC (solo sin IBAN)",
    send: "Guardar la cuenta",
    errors: {
      holder: "Escriba el nombre del titular, tal como lo conoce el banco.",
      country: "Elija el país del banco.",
      currency: "Elija la moneda de la cuenta.",
      number: "Escriba el IBAN o el número de cuenta, tal como figura en un extracto.",
      otherCountry: "Este IBAN es de otro país que el elegido arriba.",
      routing: "Escriba de 6 a 12 letras, cifras y guiones.",
      routingMissing: "Un número de cuenta sin IBAN necesita el código de su banco."
    },
    done: {
      title: "Cuenta bancaria guardada",
      text: (end) => `Se ha añadido la cuenta terminada en ${end}. Se verificará antes de enviar dinero. Puede cerrar esta página.`
    }
  },
  business: {
    title: "Su empresa",
    lead: (account) => `Los bancos deben saber quién está detrás de ${account} antes de que se pague dinero.`,
    asked: "Todavía falta esto",
    keeps: "Lo que deje vacío queda como está.",
    type: "Quién la dirige",
    organization: "Una sociedad u otra organización",
    individual: "Una sola persona",
    name: "Nombre legal completo",
    country: "País de registro o residencia",
    registration: "Número en el registro mercantil",
    birthDate: "Fecha de nacimiento",
    address: "Dirección",
    line1: "Calle y número",
    postalCode: "Código postal",
    city: "Ciudad",
    addressCountry: "País de la dirección",
    send: "Enviar para revisión",
    errors: {
      type: "Elija quién dirige la empresa.",
      name: "Escriba el nombre tal como figura en el registro o en un pasaporte.",
      country: "Elija un país.",
      registration: "Escriba hasta 40 letras, cifras, espacios, puntos, barras y guiones.",
      birthDate: "Escriba una fecha como 1990-12-31.",
      line1: "Escriba la calle y el número.",
      postalCode: "Escriba hasta 20 caracteres.",
      city: "Escriba la ciudad."
    },
    outcomes: {
      pending: { title: "En revisión", text: "Sus datos han llegado y se están revisando. Puede cerrar esta página." },
      verified: { title: "Su empresa está verificada", text: "No hace falta nada más. Puede cerrar esta página." },
      requires_info: { title: "Faltan datos", text: "La revisión pide más. Pida otro enlace a quien se lo envió." },
      failed: {
        title: "La revisión ha fallado",
        text: "No se ha podido verificar su empresa. Pida otro enlace a quien se lo envió, para corregir sus datos."
      }
    }
  }
}
