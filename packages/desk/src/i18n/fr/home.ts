import type { HomeTexts } from "../shapes/home.ts"

/** In French, zero and one are singular. */
const of = (count: number, one: string, many: string): string => count < 2 ? `${count} ${one}` : `${count} ${many}`

export const home: HomeTexts = {
  attention: {
    title: "À traiter",
    none: "Rien n’attend personne.",
    kinds: {
      webhook_endpoint_failing: (count) =>
        `Le point de terminaison des webhooks ne prend pas ses envois : ${of(count, "échec", "échecs")}.`,
      payout_failed: () => "Un virement a échoué, l’argent est revenu.",
      dispute_due: () => "Un litige attend des justificatifs.",
      reconciliation_mismatch: (count) =>
        of(count, "ligne de relevé ne concorde pas avec les comptes.", "lignes de relevé ne concordent pas avec les comptes."),
      ledger_broken: () => "La vérification du grand livre a trouvé une rupture.",
      approval_waiting: () => "Un paiement attend une approbation.",
      second_look_waiting: () => "Une demande attend une deuxième personne."
    },
    since: "Depuis",
    due: "Jusqu’au",
    other: (kind, count) => `${kind.replaceAll("_", " ")} : ${count}`
  },
  volume: {
    title: "Volume",
    today: "Aujourd’hui",
    month: "30 derniers jours",
    payments: (count) => of(count, "paiement", "paiements"),
    refunded: "remboursé",
    none: "Rien n’a été encaissé ces 30 derniers jours.",
    counting: "Les jours plus anciens sont encore en cours d’addition."
  },
  balances: { title: "Soldes", pending: "En attente", available: "Disponible", reserved: "Réservé" },
  latest: { title: "Derniers paiements", all: "Tous les paiements" },
  mail: {
    subject: (account, count) => count === 1 ? `${account} : quelque chose vous attend` : `${account} : ${count} choses vous attendent`,
    greeting: (account) => `Ceci attend quelqu’un chez ${account} :`,
    open: "Ouvrir le tableau de bord",
    why: "Vous recevez ce message une fois pour chaque point, parce que votre rôle permet de s’en occuper."
  }
}
