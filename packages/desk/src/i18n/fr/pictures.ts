import type { PictureTexts } from "../shapes/pictures.ts"

export const pictures: PictureTexts = {
  numbers: "Les chiffres",
  day: "Jour",
  captured: "Encaissé",
  refunded: "Remboursé",
  payments: "Paiements",
  pending: "En attente",
  available: "Disponible",
  reserved: "Réservé",
  currency: "Devise",
  volume: {
    title: (currency) => `Encaissé et remboursé par jour, ${currency}`,
    about: (captured, refunded) => `En tout ${captured} encaissés et ${refunded} remboursés.`
  },
  balances: {
    title: (currency) => `Soldes à la fin de chaque jour, ${currency}`,
    about: (pending, available, reserved) => `Le dernier jour : ${pending} en attente, ${available} disponibles et ${reserved} réservés.`,
    before: "Avant"
  },
  flow: {
    title: "L’argent de ce paiement",
    about: (movements) => movements === 1 ? "Un mouvement entre les soldes." : `${movements} mouvements entre les soldes.`,
    outside: "Dehors",
    movement: (event, amount) => `${event} ${amount}`,
    now: "Détenu maintenant pour ce paiement",
    earlier: (count) =>
      count === 1
        ? "Un mouvement antérieur figure seulement dans le tableau."
        : `${count} mouvements antérieurs figurent seulement dans le tableau.`
  },
  moments: {
    title: "Ce qui arrive, et quand",
    about: (past, ahead) => `${past} passés, ${ahead} à venir.`,
    number: "Nº",
    what: "Quoi",
    when: "Quand",
    state: "État",
    now: "Maintenant",
    states: { done: "Fait", good: "Réussi", bad: "Échoué", due: "Échéance", planned: "Prévu" },
    opened: "Litige ouvert",
    evidenceDue: "Justificatifs attendus",
    evidenceSent: "Justificatifs envoyés",
    closed: (status) => `Décidé : ${status}`,
    cycleDue: "Débit prévu",
    attempt: (number, outcome) => `Tentative ${number} : ${outcome}`,
    nextAttempt: "Prochaine tentative",
    graceEnds: "Fin du délai de grâce",
    created: "Créé",
    sent: "Remis à la banque",
    settles: "Règlement",
    ended: (status) => `Terminé : ${status}`
  }
}
