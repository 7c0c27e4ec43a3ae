import { html } from "@svc/design/html"
import type { Messages } from "./shape.ts"

export const fr: Messages = {
  testMode: "Mode test",
  title: (merchant) => `Payer ${merchant}`,
  pay: (amount) => `Payer ${amount}`,
  facts: { sold: "Pour", tool: "Demandé par", account: "Compte", until: "À payer avant le" },
  credits: (count) => `${count} crédits`,
  plan: (name, credits, length) => `La formule ${name} : ${credits} crédits par mois, ${length}`,
  lengths: { endless: "payée une fois, sans fin", month: "pour un mois", months: (count) => `pour ${count} mois` },
  callOf: (tool) => `un appel de ${tool}`,
  chooseCard: "Aucun argent ne circule ici. Choisissez une carte de test",
  cards: {
    visa: "Visa, acceptée",
    mastercard: "Mastercard, acceptée",
    declined: "Une carte refusée",
    poor: "Une carte sans provision suffisante"
  },
  declined: { title: "La carte a été refusée", text: "Rien n’a été débité. Choisissez une autre carte." },
  paid: {
    title: "Payé",
    credits: "Les crédits sont maintenant sur le compte.",
    call: "Renvoyez la même requête : elle est payée avec les crédits du compte.",
    plan: "Renvoyez la même requête : les crédits de la formule la paient.",
    purchase: (id) => `L’achat est ${id}.`
  },
  pending: {
    title: "Confirmation de votre paiement",
    text: "On ne sait pas encore si l’argent est arrivé. Cette page vérifie d’elle-même ; rien n’est débité deux fois."
  },
  failed: {
    title: "Non payé",
    text:
      "Les cartes ont été refusées, et cette page n’en accepte plus. Rien n’a été débité : refaites l’appel pour obtenir une nouvelle page."
  },
  expired: {
    title: "Expirée",
    text: "Le délai de paiement est passé, et rien n’a été débité. Refaites l’appel pour obtenir une nouvelle page."
  },
  held: { title: "Rien à payer", text: "Le compte a déjà cette formule, et elle est sans fin." },
  noCards: {
    title: "Les cartes ne sont pas acceptées ici",
    text: "Ce serveur n’accepte pas de cartes pour les comptes réels. La réponse qui a indiqué cette page dit comment paie un portefeuille."
  },
  unknown: {
    title: "Cette page n’existe pas",
    text: "L’adresse ne vient pas de ce serveur, ou elle est incomplète. Refaites l’appel : sa réponse indique une page."
  },
  unchosen: { title: "Aucune carte choisie", text: "Revenez en arrière et choisissez une des cartes. Rien n’a été débité." },
  tooMany: { title: "Trop de paiements", text: "Votre réseau tente trop de paiements. Patientez un peu ; rien n’a été débité." },
  stranger: {
    title: "Cet appel n’appartient à aucun compte",
    costs: (tool, amount) => `${tool} coûte ${amount}.`,
    text: "Il a été fait sans clé : personne ne sait pour quel compte payer. Rien n’a été débité.",
    open: (accounts, signup) => html`Ouvrez un compte avec ${accounts}, ou laissez un agent s’inscrire avec ${signup}.`,
    again: (header) => html`Renvoyez le même appel avec la clé dans ${header}.`,
    pay: "Ouvrez la page que sa réponse indique, ou payez avec un portefeuille comme la réponse le dit."
  }
}
