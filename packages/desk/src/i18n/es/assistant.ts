/** What the page of the assistant says. */
import type { AssistantTexts } from "../shapes/assistant.ts"

export const assistant: AssistantTexts = {
  question: "Su pregunta",
  note: "En inglés, con palabras sencillas. Lee lo que usted puede leer y no cambia nada.",
  ask: "Preguntar",
  examples: "Por ejemplo",
  asked: [
    "Why was my last payment declined?",
    "When is my money available?",
    "What is missing to go live?",
    "Which webhooks fail and why?",
    "What did fees cost last month?"
  ],
  answer: "Respuesta",
  unsure: "No es seguro que haya preguntado esto. Pregúntelo con otras palabras, o indique un ID como pi_….",
  open: "Abrir la página que lo muestra",
  helps: "Lo que ayuda",
  acts: {
    open_onboarding_status: {
      label: "Mostrar cómo está la cuenta",
      does: "Lee cuánto le falta a la cuenta para operar de verdad. No cambia nada."
    },
    refresh_work_run: { label: "Ver de nuevo los pasos", does: "Calcula los pasos de nuevo a partir de lo que tiene la cuenta." },
    accept_tos: {
      label: "Aceptar las condiciones",
      does: "Guarda que usted aceptó la versión actual de las condiciones para esta cuenta."
    },
    create_passthrough_session: {
      label: "Abrir una página confidencial",
      does: "Crea por una hora una página en la que una persona indica lo que ningún asistente debe oír."
    },
    open_passthrough_payout_bank: {
      label: "Dar la cuenta bancaria para las transferencias",
      does: "Abre por una hora una página para la cuenta bancaria que recibe las transferencias."
    },
    open_passthrough_business_verify: {
      label: "Dar los datos de la empresa",
      does: "Abre por una hora una página para los datos con los que se verifica su empresa."
    },
    apply_passthrough_prefill: {
      label: "Rellenar lo que ya se sabe",
      does: "Rellena campos de la página abierta con datos de la cuenta. Nunca un número de cuenta bancaria."
    },
    plaid_link_token: { label: "Empezar un vínculo con su banco", does: "Empieza un vínculo con el proveedor de vínculos bancarios." },
    plaid_exchange: { label: "Terminar el vínculo con su banco", does: "Toma lo que dio la página del banco y lo guarda sellado." },
    plaid_verify_payout: {
      label: "Verificar la cuenta vinculada para transferencias",
      does: "Hace de la cuenta bancaria vinculada un destino de transferencias."
    },
    plaid_processor_token: {
      label: "Obtener un token para un procesador",
      does: "Crea un token de la cuenta bancaria vinculada. Se muestra una vez."
    },
    enable_go_live: { label: "Pedir operar de verdad", does: "Pide al operador la cuenta real. Nada cambia antes de que lo apruebe." }
  },
  statuses: { completed: "Hecho", needs_approval: "Espera aprobación", failed: "No hecho" },
  completed: "Se hizo en su nombre y consta en el registro de auditoría.",
  result: "Lo que resultó",
  fields: {
    path: "Página",
    goal_progress_pct: "Pasos hechos, en porcentaje",
    next_step_id: "Próximo paso",
    work_run_id: "Recorrido",
    version: "Versión",
    accepted_at: "Aceptado",
    passthrough_session_id: "Sesión",
    fields: "Campos rellenados",
    bank_link_id: "Vínculo bancario",
    link_token: "Token del vínculo",
    expires_at: "Termina",
    item_id: "ID en el proveedor",
    accounts: "Cuentas",
    destination_id: "Destino de las transferencias",
    status: "Estado",
    processor_token: "Token para el procesador (se muestra una vez)",
    approval_id: "Solicitud",
    live_account_id: "Cuenta real",
    waits_for: "Espera a",
    seen_at: "Dónde se puede ver",
    missing: "Falta",
    error: "Código",
    required_scope: "Permiso que falta"
  },
  again: "Preguntar otra cosa"
}
