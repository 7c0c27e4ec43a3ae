import type { PortalMessages } from "./shape.ts"

export const fr: PortalMessages = {
  title: (merchant) => `Votre compte chez ${merchant}`,
  nav: { label: "Compte", overview: "Aperçu", invoices: "Factures", methods: "Moyens de paiement" },
  backToOverview: "Retour à l’aperçu",
  noSubscriptions: { title: "Pas encore d’abonnement", text: "Quand vous vous abonnerez, vous trouverez tout ici." },
  details: {
    title: "Vos coordonnées",
    name: "Nom",
    nameInvalid: "Saisissez un nom sur une ligne, de 200 caractères au plus.",
    cardNumber: "Ne saisissez pas de numéro de carte ici.",
    save: "Enregistrer"
  },
  status: { trialing: "Essai", active: "Actif", past_due: "Paiement en retard", paused: "En pause", canceled: "Terminé" },
  facts: {
    next: "Prochain paiement",
    nextOn: (amount, day) => `${amount} le ${day}`,
    method: "Payé avec",
    trialUntil: (day) => `Gratuit jusqu’au ${day}`,
    endsOn: (day) => `Valable jusqu’au ${day}, sans renouvellement`,
    endedOn: (day) => `Terminé le ${day}`,
    paused: "Rien n’est prélevé pendant la pause",
    changesTo: (plan, day) => `Passe à ${plan} le ${day}`,
    changing: (plan) => `Passe à ${plan} dès que le paiement est confirmé`,
    credit: (amount) => `Vous avez un avoir de ${amount} à valoir dessus`,
    noMethod: "Pas encore de moyen de paiement"
  },
  pastDue: {
    title: "Votre dernier paiement n’a pas abouti",
    text: (amount) => `Il reste ${amount} à payer.`,
    retry: (day) => `Nous réessaierons le ${day}.`,
    stopped: "Il ne sera pas retenté automatiquement.",
    update: "Changez de carte pour payer tout de suite et garder votre abonnement.",
    ask: (merchant) => `Contactez ${merchant} pour garder votre abonnement.`
  },
  actions: {
    changeDetails: "Modifier mes coordonnées",
    changePlan: "Changer de formule",
    cancel: "Résilier l’abonnement",
    uncancel: "Garder l’abonnement",
    pause: "Mettre en pause",
    resume: "Reprendre",
    updateCard: "Changer de carte"
  },
  invoices: {
    title: "Factures",
    none: "Il n’y a pas encore de facture.",
    status: { draft: "Brouillon", open: "À payer", paid: "Payée", void: "Annulée", uncollectible: "Non payée" },
    pdf: (number) => `Facture ${number} en PDF`,
    pdfShort: "PDF",
    view: (number) => `Voir la facture ${number}`,
    viewShort: "Voir",
    pay: (amount) => `Payer ${amount}`,
    older: "Factures plus anciennes",
    newer: "Factures plus récentes"
  },
  methods: {
    title: "Moyens de paiement",
    none: "Aucun moyen de paiement n’est enregistré.",
    ending: (brand, digits) => `${brand} se terminant par ${digits}`,
    otherKind: { card: "Carte", bank_account: "Compte bancaire", usdc_wallet: "Portefeuille USDC" },
    expires: (date) => `Expire en ${date}`,
    expired: (date) => `Expirée en ${date}`,
    defaultMethod: "Utilisée pour les paiements",
    add: "Utiliser une autre carte",
    addText: "Les prochains paiements seront faits avec cette carte.",
    addOwing: (amount) => `${amount} sont en retard et seront prélevés tout de suite sur cette carte.`,
    save: "Enregistrer la carte",
    savePaying: (amount) => `Enregistrer la carte et payer ${amount}`
  },
  plan: {
    title: "Changer de formule",
    choose: "Choisissez votre formule",
    current: "Votre formule",
    none: "Il n’y a pas d’autre formule disponible.",
    next: "Continuer",
    unchosen: "Choisissez d’abord une formule.",
    previewTitle: (plan) => `Passer à ${plan}`,
    from: "Actuelle",
    to: "Nouvelle",
    starts: "Début",
    atOnce: "Immédiatement",
    unused: (plan) => `Temps non utilisé de ${plan}`,
    rest: (plan) => `Temps restant de ${plan}`,
    period: (plan) => plan,
    earlier: "De changements précédents",
    credit: "Votre avoir",
    carried: "Reste en avoir pour votre prochain paiement",
    span: (from, to) => `du ${from} au ${to}`,
    lines: "Détail du montant",
    dueNow: "À payer maintenant",
    nothingNow: "Rien n’est prélevé maintenant.",
    onNext: (day) => `Ajouté à votre paiement du ${day}`,
    lessNext: (day) => `Déduit de votre paiement du ${day}`,
    thenFrom: (price, day) => `${price} à partir du ${day}`,
    confirm: "Confirmer le changement",
    confirmPaying: (amount) => `Changer et payer ${amount}`,
    undo: "Garder ma formule",
    undoText: (plan) => `Vous gardez ${plan}, et le changement prévu n’aura pas lieu.`,
    holds: "Ce montant est valable une heure."
  },
  cancel: {
    title: (plan) => `Résilier ${plan} ?`,
    text: (day) =>
      `Il reste valable jusqu’au ${day}, comme vous l’avez payé, et ne sera pas renouvelé. D’ici là, vous pouvez changer d’avis.`,
    owed: (amount) => `${amount} de changements précédents seront prélevés ce jour-là.`,
    pastDue: "Le paiement en retard ne sera pas retenté automatiquement.",
    confirm: "Résilier l’abonnement",
    keep: "Le garder"
  },
  pause: {
    title: (plan) => `Mettre ${plan} en pause ?`,
    text: "Rien n’est prélevé jusqu’à la reprise.",
    left: (days) => `Vous gardez ce que vous avez payé : ${days}.`,
    unpaid: "Le paiement en retard n’est plus demandé, et le temps correspondant n’est pas gardé.",
    confirm: "Mettre en pause"
  },
  resume: {
    title: (plan) => `Reprendre ${plan} ?`,
    text: (day) => `Il reprend tout de suite. Le prochain paiement est dû le ${day}.`,
    confirm: "Reprendre l’abonnement"
  },
  pay: {
    title: (number) => `Payer la facture ${number}`,
    with: "Payé avec",
    confirm: (amount) => `Payer ${amount}`,
    other: "Utiliser une autre carte",
    once: "Cette carte règle cette facture et ne sera pas utilisée pour les suivantes."
  },
  done: {
    planChanged: { title: "Votre formule a changé", text: (plan) => `Vous avez maintenant ${plan}.` },
    planScheduled: {
      title: "Votre formule va changer",
      text: (plan, day) => `Vous gardez votre formule jusqu’au ${day}. Ensuite, ce sera ${plan}.`
    },
    planKept: { title: "Votre formule ne change pas", text: (plan) => `Vous gardez ${plan}.` },
    planPending: {
      title: "Votre paiement est en cours de confirmation",
      text: "Votre formule changera ensuite. Vous pouvez fermer cette page ; rien n’est prélevé deux fois."
    },
    planDeclined: { title: "Le paiement n’a pas abouti", text: "Votre formule n’a pas changé, et rien n’a été prélevé." },
    cancelled: { title: "Votre abonnement est résilié", text: (day) => `Il reste valable jusqu’au ${day}. Rien n’est renouvelé ensuite.` },
    uncancelled: { title: "Votre abonnement continue", text: (day) => `Il sera renouvelé le ${day}, comme avant.` },
    paused: { title: "Votre abonnement est en pause", text: "Rien n’est prélevé jusqu’à la reprise." },
    resumed: { title: "Votre abonnement continue", text: (day) => `Le prochain paiement est dû le ${day}.` },
    cardSaved: { title: "Votre carte a été enregistrée", text: "Les prochains paiements seront faits avec elle." },
    cardPaid: {
      title: "Votre carte a été enregistrée et le paiement a abouti",
      text: (amount) => `${amount} ont été payés. Votre abonnement continue.`
    },
    cardDeclined: {
      title: "Votre carte a été enregistrée, mais le paiement n’a pas abouti",
      text: (amount) => `Il reste ${amount} à payer. Utilisez une autre carte, ou demandez la raison à votre banque.`
    },
    paid: { title: "Merci, votre paiement a été reçu", text: (amount) => `Vous avez payé ${amount}.` },
    payDeclined: {
      title: "Le paiement n’a pas abouti",
      text: (amount) =>
        `Il reste ${amount} à payer, et rien n’a été prélevé. Utilisez une autre carte, ou demandez la raison à votre banque.`
    },
    pending: {
      title: "Votre paiement est en cours de confirmation",
      text: "Cela prend en général quelques secondes. Vous pouvez fermer cette page ; rien n’est prélevé deux fois."
    }
  },
  changedMeanwhile: {
    title: "Quelque chose a changé",
    text: "Votre abonnement a changé depuis l’affichage de cette page. Rien n’a été prélevé. Vérifiez à nouveau."
  },
  notAllowed: { title: "Ce n’est pas possible ici", text: "Rien n’a été modifié." },
  notPossible: {
    title: "Ce n’est pas possible pour le moment",
    text: "Rien n’a été modifié ni prélevé. L’aperçu montre où en est votre abonnement."
  },
  noCard: "Les données de la carte n’ont pas pu être utilisées. Saisissez-les à nouveau.",
  expired: {
    title: "Cette page a expiré",
    text: (merchant) => `Pour votre sécurité, elle est valable une heure. Ouvrez-la à nouveau depuis ${merchant}.`
  },
  revoked: { title: "Cette page a été fermée", text: (merchant) => `Elle ne fonctionne plus. Ouvrez-la à nouveau depuis ${merchant}.` }
}
