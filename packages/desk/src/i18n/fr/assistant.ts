/** What the page of the assistant says. */
import type { AssistantTexts } from "../shapes/assistant.ts"

export const assistant: AssistantTexts = {
  question: "Votre question",
  note: "En anglais, simplement. L’assistant lit ce que vous pouvez lire et ne change rien.",
  ask: "Demander",
  examples: "Par exemple",
  asked: [
    "Why was my last payment declined?",
    "When is my money available?",
    "What is missing to go live?",
    "Which webhooks fail and why?",
    "What did fees cost last month?"
  ],
  answer: "Réponse",
  unsure: "Il n’est pas certain que ce soit votre question. Posez-la autrement, ou indiquez un identifiant comme pi_….",
  open: "Ouvrir la page qui le montre",
  helps: "Ce qui aide",
  acts: {
    open_onboarding_status: {
      label: "Montrer où en est le compte",
      does: "Lit où en est le compte sur la voie de la production. Ne change rien."
    },
    refresh_work_run: { label: "Revoir les étapes", does: "Recalcule les étapes d’après ce que le compte contient maintenant." },
    accept_tos: {
      label: "Accepter les conditions",
      does: "Conserve le fait que vous avez accepté la version actuelle des conditions pour ce compte."
    },
    create_passthrough_session: {
      label: "Ouvrir une page confidentielle",
      does: "Crée pour une heure une page où une personne indique ce qu’aucun assistant ne doit entendre."
    },
    open_passthrough_payout_bank: {
      label: "Indiquer le compte bancaire des virements",
      does: "Ouvre pour une heure une page pour le compte bancaire qui reçoit les virements."
    },
    open_passthrough_business_verify: {
      label: "Indiquer les informations de l’entreprise",
      does: "Ouvre pour une heure une page pour les informations qui servent à vérifier votre entreprise."
    },
    apply_passthrough_prefill: {
      label: "Remplir ce qui est déjà connu",
      does: "Remplit des champs de la page ouverte d’après le compte. Jamais un numéro de compte bancaire."
    },
    plaid_link_token: {
      label: "Commencer une liaison avec votre banque",
      does: "Commence une liaison auprès du fournisseur de liaisons bancaires."
    },
    plaid_exchange: {
      label: "Terminer la liaison avec votre banque",
      does: "Prend ce que la page de la banque a donné et le garde scellé."
    },
    plaid_verify_payout: {
      label: "Vérifier le compte relié pour les virements",
      does: "Fait du compte bancaire relié une destination de virement."
    },
    plaid_processor_token: {
      label: "Obtenir un jeton pour un processeur",
      does: "Crée un jeton du compte bancaire relié. Il est montré une seule fois."
    },
    enable_go_live: {
      label: "Demander le passage en production",
      does: "Demande à l’exploitant de passer le compte en production. Rien ne change avant son accord."
    }
  },
  statuses: { completed: "Fait", needs_approval: "Attend une approbation", failed: "Pas fait" },
  completed: "Cela a été fait en votre nom et figure au journal d’audit.",
  result: "Ce qui en est sorti",
  fields: {
    path: "Page",
    goal_progress_pct: "Étapes faites, en pour cent",
    next_step_id: "Prochaine étape",
    work_run_id: "Parcours",
    version: "Version",
    accepted_at: "Accepté",
    passthrough_session_id: "Session",
    fields: "Champs remplis",
    bank_link_id: "Liaison bancaire",
    link_token: "Jeton de la liaison",
    expires_at: "Prend fin",
    item_id: "ID chez le prestataire",
    accounts: "Comptes",
    destination_id: "Destination des virements",
    status: "Statut",
    processor_token: "Jeton pour le processeur (montré une fois)",
    approval_id: "Demande",
    live_account_id: "Compte de production",
    waits_for: "Attend",
    seen_at: "Où le voir",
    missing: "Manque",
    error: "Code",
    required_scope: "Permission manquante"
  },
  again: "Poser une autre question"
}
