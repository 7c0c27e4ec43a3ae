import type { OnboardingTexts } from "../shapes/onboarding.ts"

/** Words of the views of `onboarding`. */
export const views = {
  terms: { many: "Condiciones", one: "Condiciones", none: "No hay condiciones." },
  terms_acceptances: {
    many: "Aceptaciones de las condiciones",
    one: "Aceptación de las condiciones",
    none: "Las condiciones aún no se han aceptado."
  },
  go_live_requests: { many: "Operar de verdad", one: "Solicitud de cuenta real", none: "Nadie ha pedido aún operar de verdad." },
  operator_go_live_requests: {
    many: "Solicitudes de cuenta real",
    one: "Solicitud de cuenta real",
    none: "Ninguna cuenta pide operar de verdad."
  }
}

export const fields = {
  accepted_at: "Aceptado",
  accepted_by: "Aceptado por",
  account_name: "Nombre de la cuenta",
  live_account_id: "Cuenta real",
  rejection_reason: "Por qué se rechazó",
  terms_version: "Versión",
  text: "Texto",
  version: "Versión"
}

export const actions = {
  terms: { accept: "Aceptar las condiciones" },
  terms_acceptances: {},
  go_live_requests: { create: "Pedir operar de verdad" },
  operator_go_live_requests: { approve: "Aprobar y abrir la cuenta real", reject: "Rechazar" }
}

export const onboarding: OnboardingTexts = {
  title: "En camino a operar de verdad",
  live: {
    title: "Su cuenta opera de verdad: lo que falta",
    payment:
      "Envíe a un cliente a una página de pago, o cobre con un medio de pago desde su servidor. Las tarjetas de prueba no funcionan aquí."
  },
  progress: (done, all) => `${done} de ${all} pasos están hechos.`,
  opened: "Su cuenta real está abierta: cambie a ella en «Sus cuentas»",
  states: { done: "Hecho", open: "Por hacer", waiting: "En revisión" },
  steps: {
    terms: {
      title: "Aceptar las condiciones",
      text: "Un propietario las lee y las acepta para la cuenta.",
      waits: "Las condiciones esperan ser aceptadas."
    },
    business_verified: {
      title: "Verificar su empresa",
      text: "Diga quién está detrás de la cuenta.",
      waits: "Se está revisando la empresa."
    },
    payout_bank: {
      title: "Añadir una cuenta bancaria para transferencias",
      text: "Diga adónde va su dinero y haga verificar la cuenta.",
      waits: "La cuenta bancaria está verificada y se activará sola."
    },
    webhook_endpoint: {
      title: "Enterarse de los pagos",
      text: "Diga dónde recibe webhooks su servidor.",
      waits: "Se está revisando el destino."
    },
    first_payment: {
      title: "Cobrar un pago",
      text: "Envíe esto desde un terminal, con una clave secreta de esta cuenta.",
      waits: "El pago está en curso."
    },
    live: {
      title: "Operar de verdad",
      text: "Cuando lo demás esté hecho, un propietario pide la cuenta real. El entorno de pruebas se queda para probar.",
      waits: "El operador está viendo la solicitud."
    }
  },
  requests: {
    title: "Solicitudes de cuenta real",
    none: "Ninguna cuenta espera para operar de verdad.",
    waits: "pide operar de verdad"
  }
}
