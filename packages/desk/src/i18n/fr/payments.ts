/** What the page of a payment says. */
import type { PaymentTexts } from "../shapes/payments.ts"

const ANOTHER_CARD = "Demandez une autre carte."
const CALL_BANK = "Demandez au client d’appeler sa banque."

export const payment: PaymentTexts = {
  title: "Paiement",
  summary: "Résumé",
  captured: "Encaissé",
  refunded: "Remboursé",
  disputed: "Contesté",
  fee: "Frais",
  held: "Retenu",
  customer: "Client",
  method: "Moyen de paiement",
  rail: "Canal de paiement",
  reference: "Référence du prestataire",
  conversion: "Converti en",
  reason: "Motif",
  declined: "Le paiement a été refusé",
  declines: {
    generic_decline: {
      why: "La banque a refusé sans donner de motif.",
      next: "Demandez au client d’appeler sa banque ou de payer autrement."
    },
    insufficient_funds: {
      why: "Il n’y a pas assez d’argent sur le compte du client, ou son plafond est atteint.",
      next: "Demandez une autre carte, ou réessayez dans quelques jours."
    },
    lost_card: { why: "La carte a été déclarée perdue.", next: `Ne réessayez pas cette carte. ${ANOTHER_CARD}` },
    stolen_card: {
      why: "La carte a été déclarée volée.",
      next: "Ne réessayez pas cette carte. Examinez la commande avant d’expédier quoi que ce soit."
    },
    expired_card: { why: "La carte a expiré.", next: "Demandez au client sa nouvelle carte." },
    incorrect_cvc: { why: "Le cryptogramme est faux.", next: "Demandez au client de le saisir à nouveau." },
    processing_error: {
      why: "Le prestataire n’a pas pu traiter le paiement.",
      next: "Réessayez dans quelques minutes : rien n’a été prélevé."
    },
    do_not_honor: { why: "La banque n’honore pas la carte et n’a pas donné de motif.", next: CALL_BANK },
    card_velocity_exceeded: {
      why: "La carte a été utilisée trop souvent, ou pour trop, en peu de temps.",
      next: "Attendez un jour, ou demandez une autre carte."
    },
    fraudulent: {
      why: "La banque ou le prestataire y voit une fraude.",
      next: "Ne réessayez pas. Examinez d’abord la commande et le client."
    },
    authentication_required: {
      why: "La banque veut que le client confirme le paiement.",
      next: "Faites passer le client par un checkout, où la banque peut l’interroger."
    },
    currency_not_supported: {
      why: "La carte n’accepte pas cette devise.",
      next: "Débitez dans une autre devise, ou demandez une autre carte."
    },
    card_not_supported: { why: "La carte ne convient pas à ce type de paiement.", next: ANOTHER_CARD }
  },
  standings: {
    blocked: {
      why: "La règle antifraude du prestataire l’a arrêté. Rien n’a été prélevé.",
      next: "Examinez la commande, puis approuvez ou rejetez le paiement."
    },
    requires_action: {
      why: "Le client doit confirmer le paiement auprès de sa banque.",
      next: "Attendez, ou renvoyez le lien au client."
    },
    async_rail: {
      why: "Le canal confirme plus tard, comme le font les blockchains et les virements.",
      next: "Attendez. Cela change tout seul."
    },
    unknown_outcome: {
      why: "Le prestataire n’a pas dit ce qu’est devenu le dernier appel.",
      next: "Attendez : le prestataire est interrogé à nouveau. Ne débitez pas le client deux fois."
    },
    requires_approval: { why: "Il dépasse une limite et attend une personne.", next: "Approuvez-le ou rejetez-le." },
    failed: {
      why: "Le paiement a échoué. Rien n’a été prélevé.",
      next: "Lisez les tentatives ci-dessous ; un nouveau paiement est possible."
    }
  },
  next: "Que faire maintenant",
  timeline: "Chronologie",
  created: "Créé",
  attempted: (rail, outcome) => `Essayé avec ${rail} : ${outcome}`,
  refund: (status) => `Remboursement : ${status}`,
  cancelled: "Annulé : plus rien n’est retenu",
  waits: "Un remboursement attend une deuxième personne",
  waitsText: "a été demandé :",
  disputeOpened: "Litige ouvert",
  disputeClosed: (status) => `Litige : ${status}`,
  settlementQueued: "Règlement prévu",
  settlementDone: "Règlement terminé : l’argent est disponible",
  attempts: "Tentatives",
  noAttempts: "Aucun canal n’a encore été essayé.",
  amount: "Montant",
  outcome: "Résultat",
  decline: "Code de refus",
  because: "Pourquoi",
  score: "Score",
  at: "Date",
  routing: "Choix du canal",
  routingNote: "Les canaux sont essayés du score le plus haut au plus bas ; un canal au score 0 est écarté.",
  result: "Résultat",
  chosen: "choisi",
  leftOut: "écarté",
  eligible: "possible",
  rule: "Règle",
  matched: "S’applique",
  routingReasons: {
    usual: "ordre habituel",
    allHold: "toutes les conditions sont remplies",
    notInstalled: "non installé",
    doesNotTake: (what) => `n’accepte pas : ${what}`,
    byRule: (name) => `selon la règle ${name}`,
    differs: (what, is, asked) => `${what} : ${is} au lieu de ${asked}`,
    below: (limit) => `le montant est inférieur à ${limit}`,
    above: (limit) => `le montant est supérieur à ${limit}`,
    isNot: (name, asked) => `${name} n’est pas ${asked}`,
    notGiven: "non indiqué",
    currency: "devise",
    country: "pays",
    method: "moyen de paiement"
  },
  entries: "Écritures du grand livre",
  noEntries: "Pas encore d’écritures.",
  event: "Événement",
  available: "Disponible",
  pending: "En attente",
  reserved: "Réservé",
  links: "En lien avec lui",
  dispute: "Litige",
  settlement: "Règlement",
  metadata: "Métadonnées"
}
