import type { Messages } from "./shape.ts"

export const fr: Messages = {
  common: {
    testMode: "Mode test",
    back: (merchant) => `Retour à ${merchant}`,
    total: "Total",
    orderSummary: "Récapitulatif de la commande",
    showItems: (count) => `Afficher les ${count} articles`,
    legal: { label: "Mentions légales", terms: "Conditions générales", privacy: "Confidentialité", imprint: "Éditeur du site" },
    wait: "Un instant…",
    gone: { title: "Cette page n’existe pas", text: "L’adresse est peut-être incomplète. Rouvrez le lien là où vous l’avez trouvé." },
    tooMany: {
      title: "Trop de tentatives",
      text: "Attendez quelques minutes, puis rechargez cette page. Cette tentative n’a donné lieu à aucun débit."
    },
    broken: {
      title: "Un problème est survenu",
      text: "L’erreur vient de nous. Rechargez cette page dans un instant : elle indique si vous avez payé, et rien n’est débité deux fois."
    }
  },
  checkout: {
    title: (merchant) => `Payer ${merchant}`,
    subscribeTo: (merchant) => `S’abonner à ${merchant}`,
    pay: (amount) => `Payer ${amount}`,
    subscribe: "S’abonner",
    startTrial: "Commencer l’essai",
    every: { weekly: "par semaine", monthly: "par mois", quarterly: "par trimestre", annual: "par an" },
    trial: (days) => `${days} d’essai gratuit`,
    thenEvery: (amount, period) => `Puis ${amount} ${period}`,
    dueToday: "À payer aujourd’hui",
    renews: (amount, day, period) => `${amount} sont débités aujourd’hui, le ${day}, puis ${amount} ${period} jusqu’à la résiliation.`,
    renewsAfterTrial: (amount, day, period) =>
      `Rien n’est débité aujourd’hui. ${amount} seront débités le ${day}, puis ${amount} ${period} jusqu’à la résiliation.`,
    email: "E-mail",
    emailInvalid: "Saisissez une adresse e-mail, par exemple ana@example.com.",
    method: "Moyen de paiement",
    card: "Carte",
    cardFields: "Coordonnées de la carte",
    stablecoin: "USDC",
    stablecoinDetail: "Dollars numériques de votre portefeuille",
    stablecoinNext: "La page indique ensuite le montant et suit le transfert jusqu’à sa confirmation.",
    bankTransfer: "Virement bancaire",
    bankTransferDetail: "Depuis votre compte bancaire",
    bankTransferNext: "Ensuite, la page suit le virement jusqu’à son arrivée.",
    needsScript:
      "Pour payer par carte, activez JavaScript dans votre navigateur et rechargez cette page. Les données de votre carte vont directement au prestataire de paiement.",
    declined: "Le paiement n’a pas abouti",
    notCharged: "Rien n’a été débité.",
    notConfirmed: "Le paiement n’a pas été confirmé.",
    unavailable: "Le paiement est impossible pour le moment. Rien n’a été débité. Veuillez réessayer.",
    chooseAgain: "Les données de la carte n’ont pas pu être utilisées. Veuillez les saisir à nouveau.",
    processing: {
      title: "Confirmation de votre paiement",
      text: "Cela ne prend en général que quelques secondes. Vous pouvez garder cette page ouverte ; rien n’est débité deux fois."
    },
    action: { title: "Encore une étape", text: "Votre banque vous demande de confirmer ce paiement.", go: "Continuer vers votre banque" },
    transfer: {
      title: "En attente de votre transfert",
      text: "Votre transfert est annoncé et attend sa confirmation.",
      amount: "Montant",
      network: "Payé avec",
      status: "État",
      pending: "En attente de confirmation"
    },
    review: {
      title: "Le paiement est en cours de vérification",
      text: "Quelqu’un l’examine avant son exécution. Vous pouvez fermer cette page."
    },
    paid: { title: "Merci, votre paiement est bien arrivé", text: (amount, merchant) => `Vous avez payé ${amount} à ${merchant}.` },
    started: { title: "Votre abonnement a commencé", text: (merchant) => `${merchant} a reçu votre commande.` },
    startedTrial: {
      title: "Votre essai a commencé",
      text: (merchant, amount, day) => `Rien n’a été débité. ${merchant} débitera ${amount} le ${day}, sauf si vous résiliez avant.`
    },
    returnTo: (merchant) => `Revenir à ${merchant}`,
    returning: (merchant) => `Retour à ${merchant} en cours…`,
    expired: {
      title: "Cette page de paiement a expiré",
      text: (merchant) => `Rien n’a été débité. Demandez un nouveau lien à ${merchant}.`
    }
  },
  fields: {
    number: "Numéro de carte",
    expiry: "Date d’expiration",
    expiryHint: "MM / AA",
    cvc: "Code de sécurité",
    numberMissing: "Saisissez le numéro de la carte.",
    numberUnknown: "Seuls les numéros de test ci-dessous sont acceptés ici. Ne saisissez jamais une vraie carte.",
    expiryInvalid: "Saisissez un mois et une année qui ne sont pas passés.",
    cvcInvalid: "Saisissez les 3 ou 4 chiffres figurant sur la carte.",
    testCards: "Cartes de test",
    testCardsHint: "Aucune vraie carte ne fonctionne ici. Choisissez-en une pour remplir les champs.",
    outcomes: {
      approve: "Acceptée",
      declined: "Refusée",
      require_action: "Demande une confirmation",
      block: "Bloquée par la règle antifraude",
      elsewhere: "Acceptée par le second prestataire",
      dispute: "Acceptée, contestée ensuite"
    }
  },
  action: {
    title: "Confirmez votre paiement",
    bank: "Banque de test",
    question: (amount, merchant) => `Voulez-vous payer ${amount} à ${merchant} ?`,
    confirm: "Confirmer le paiement",
    refuse: "Refuser",
    done: { title: "Confirmé", text: "Le paiement a été confirmé. Vous pouvez fermer cette page." },
    refused: { title: "Refusé", text: "Le paiement n’a pas été confirmé et rien n’a été débité. Vous pouvez fermer cette page." },
    over: { title: "Rien à confirmer", text: "Ce paiement ne vous attend pas. Il a déjà été confirmé, ou son délai est écoulé." }
  },
  declines: {
    generic_decline: "La carte a été refusée. Essayez une autre carte ou demandez la raison à votre banque.",
    insufficient_funds: "Il n’y a pas assez d’argent sur la carte. Essayez une autre carte.",
    lost_card: "La carte a été refusée. Veuillez utiliser une autre carte.",
    stolen_card: "La carte a été refusée. Veuillez utiliser une autre carte.",
    expired_card: "La carte a expiré. Utilisez une autre carte.",
    incorrect_cvc: "Le code de sécurité est incorrect. Vérifiez-le et réessayez.",
    processing_error: "La banque n’a pas pu traiter le paiement. Réessayez dans un instant.",
    do_not_honor: "La banque a refusé le paiement sans dire pourquoi. Essayez une autre carte ou demandez à votre banque.",
    card_velocity_exceeded: "La carte a atteint son plafond pour le moment. Essayez une autre carte, ou celle-ci demain.",
    fraudulent: "La carte a été refusée. Veuillez utiliser une autre carte.",
    authentication_required: "Le paiement n’a pas été confirmé auprès de votre banque. Réessayez et confirmez-le.",
    currency_not_supported: "La carte ne permet pas de payer dans cette devise. Utilisez une autre carte.",
    card_not_supported: "La carte n’est pas acceptée pour ce type de paiement. Utilisez une autre carte."
  }
}
