/** Words of the frame, of lists, details and forms, and of refusals. */
import type { ActionTexts, DetailTexts, FrameTexts, ListTexts, RefusalTexts } from "../shapes/engine.ts"

export const nav: FrameTexts = {
  label: "Panel",
  menu: "Menú",
  home: "Inicio",
  signOut: "Cerrar sesión",
  skip: "Ir al contenido",
  signedInAs: (name, role) => `${name}, ${role.toLowerCase()}`,
  fresh: "Algo ha cambiado. Mostrar."
}

export const list: ListTexts = {
  filter: "Aplicar",
  filters: "Filtros",
  clear: "Borrar",
  first: "Más recientes",
  older: "Anteriores",
  newer: "Posteriores",
  pages: "Páginas",
  any: "Todos",
  noMatch: "Nada coincide con estos filtros.",
  amountOfCurrency: "Indique también una moneda: el importe se lee en ella.",
  from: (field) => `${field}, desde (UTC)`,
  before: (field) => `${field}, antes de (UTC)`,
  least: (field) => `${field}, como mínimo`,
  most: (field) => `${field}, como máximo`
}

export const detail: DetailTexts = {
  facts: "Datos",
  actions: "Acciones",
  all: (things) => `${things}: ver todo`,
  raw: "Como JSON",
  another: "Usted lo ha solicitado. Otra persona decide.",
  rows: {
    number: "Número",
    outcome: "Resultado",
    response_status: "Respuesta",
    duration_ms: "Milisegundos",
    error: "Error",
    quantity: "Cantidad",
    unit_amount: "Precio unitario",
    last_four: "Termina en",
    field: "Campo"
  }
}

export const action: ActionTexts = {
  keep: "Volver",
  final: "Esto no se puede deshacer.",
  optional: "opcional",
  utc: "UTC",
  line: "uno por línea",
  choose: "Elija",
  each: "Todos",
  unlimited: "Todos, también los que se añadan después",
  notSent: "No se cambió nada: un importe no se puede leer.",
  noAmount: (currency, digits) =>
    digits === 0
      ? `Escriba un número entero de ${currency}, por ejemplo 12.`
      : `Escriba un importe en ${currency}, por ejemplo 12.${"50".padEnd(digits, "0").slice(0, digits)}.`,
  noDecimal: "Escriba un importe como 12.50.",
  eachCurrency: "100.00 significa 100.00 USD o 10000 JPY",
  minorUnits: "Los importes de este mensaje se cuentan en la unidad más pequeña de la moneda, como los céntimos.",
  done: (done) => `${done}: hecho.`,
  next: (action) => `A continuación: ${action}.`,
  most: (currency, most) => `En ${currency}, como máximo ${most}; vacío significa todo`,
  changed: "Se cambió entretanto, aquí o en otro lugar. No se hizo nada. Vea cómo está ahora y decida de nuevo.",
  impossible: { title: "Ahora no se puede", text: "Aquello sobre lo que se iba a actuar ha cambiado. Vea cómo está ahora." },
  shownOnce: { title: "Se muestra una sola vez", text: "Cópielo ahora y guárdelo con sus secretos. No se puede volver a mostrar." },
  copy: "Copiar",
  copied: "Copiado",
  onward: "Ya lo tengo"
}

export const refusals: RefusalTexts = {
  unauthorized: { title: "Inicie sesión de nuevo", text: "Su sesión ha terminado. No se cambió nada." },
  forbidden: { title: "Su función no lo permite", text: "Pregunte a un propietario de la cuenta." },
  rolesThatMay: (roles) => `Estas funciones pueden: ${roles}. Pida una a un propietario de la cuenta.`,
  notFound: { title: "Aquí no hay nada", text: "La dirección es incorrecta o pertenece a otra cuenta." },
  conflict: { title: "Esto no encaja con lo que hay", text: "No se cambió nada." },
  limited: { title: "Demasiadas solicitudes a la vez", text: "No se cambió nada. Inténtelo de nuevo en un momento." },
  wait: (seconds) => `No se cambió nada. Inténtelo de nuevo en ${seconds} s.`,
  unavailable: {
    title: "El servicio no puede responder ahora",
    text: "Inténtelo de nuevo en un momento. Un formulario enviado dos veces no hace nada dos veces."
  },
  broken: { title: "Algo falla", text: "Inténtelo de nuevo en un momento. Un formulario enviado dos veces no hace nada dos veces." }
}
