/** What the page of the assistant says. */
import type { AssistantTexts } from "../shapes/assistant.ts"

export const assistant: AssistantTexts = {
  question: "Ihre Frage",
  note: "Auf Englisch, in einfachen Worten. Gelesen wird, was Sie lesen dürfen; geändert wird nichts.",
  ask: "Fragen",
  examples: "Zum Beispiel",
  asked: [
    "Why was my last payment declined?",
    "When is my money available?",
    "What is missing to go live?",
    "Which webhooks fail and why?",
    "What did fees cost last month?"
  ],
  answer: "Antwort",
  unsure: "Es ist nicht sicher, dass Sie das gefragt haben. Fragen Sie mit anderen Worten, oder nennen Sie eine ID wie pi_….",
  open: "Die Seite öffnen, die es zeigt",
  helps: "Was hilft",
  acts: {
    open_onboarding_status: {
      label: "Zeigen, wo das Konto steht",
      does: "Liest, wie weit das Konto auf dem Weg zum Echtbetrieb ist. Ändert nichts."
    },
    refresh_work_run: { label: "Die Schritte noch einmal ansehen", does: "Berechnet die Schritte neu aus dem, was das Konto jetzt hat." },
    accept_tos: {
      label: "Den Bedingungen zustimmen",
      does: "Hält fest, dass Sie der jetzigen Version der Bedingungen für dieses Konto zugestimmt haben."
    },
    create_passthrough_session: {
      label: "Eine sichere Eingabeseite öffnen",
      does: "Macht für eine Stunde eine Seite, auf der ein Mensch angibt, was kein Assistent hören soll."
    },
    open_passthrough_payout_bank: {
      label: "Das Bankkonto für Auszahlungen angeben",
      does: "Öffnet für eine Stunde eine Seite für das Bankkonto, auf das ausgezahlt wird."
    },
    open_passthrough_business_verify: {
      label: "Die Angaben zum Unternehmen machen",
      does: "Öffnet für eine Stunde eine Seite für die Angaben, mit denen Ihr Unternehmen geprüft wird."
    },
    apply_passthrough_prefill: {
      label: "Ausfüllen, was schon bekannt ist",
      does: "Füllt Felder der offenen Seite aus dem Konto. Nie eine Nummer eines Bankkontos."
    },
    plaid_link_token: {
      label: "Eine Verbindung mit Ihrer Bank beginnen",
      does: "Beginnt eine Verbindung beim Anbieter für Bankverbindungen."
    },
    plaid_exchange: {
      label: "Die Verbindung mit Ihrer Bank abschließen",
      does: "Nimmt an, was die Seite der Bank gab, und verwahrt es versiegelt."
    },
    plaid_verify_payout: {
      label: "Das verbundene Konto für Auszahlungen prüfen",
      does: "Macht aus dem verbundenen Bankkonto ein Ziel für Auszahlungen."
    },
    plaid_processor_token: {
      label: "Ein Token für einen Zahlungsabwickler holen",
      does: "Erstellt ein Token des verbundenen Bankkontos. Es wird einmal gezeigt."
    },
    enable_go_live: {
      label: "Echtbetrieb beantragen",
      does: "Bittet den Betreiber um den Echtbetrieb. Vor der Freigabe ändert sich nichts."
    }
  },
  statuses: { completed: "Erledigt", needs_approval: "Wartet auf Freigabe", failed: "Nicht erledigt" },
  completed: "Es wurde in Ihrem Namen getan und steht im Änderungsprotokoll.",
  result: "Was dabei herauskam",
  fields: {
    path: "Seite",
    goal_progress_pct: "Erledigte Schritte, in Prozent",
    next_step_id: "Nächster Schritt",
    work_run_id: "Schritte zum Echtbetrieb",
    version: "Version",
    accepted_at: "Zugestimmt",
    passthrough_session_id: "Sitzung",
    fields: "Ausgefüllte Felder",
    bank_link_id: "Bankverbindung",
    link_token: "Token der Verbindung",
    expires_at: "Endet",
    item_id: "ID beim Anbieter",
    accounts: "Konten",
    destination_id: "Ziel der Auszahlungen",
    status: "Stand",
    processor_token: "Token für den Zahlungsabwickler (einmal gezeigt)",
    approval_id: "Antrag",
    live_account_id: "Echtes Konto",
    waits_for: "Wartet auf",
    seen_at: "Wo es zu sehen ist",
    missing: "Fehlt",
    error: "Code",
    required_scope: "Fehlende Berechtigung"
  },
  again: "Etwas anderes fragen"
}
