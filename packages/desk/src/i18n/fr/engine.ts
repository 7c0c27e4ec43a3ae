/** Words of the frame, of lists, details and forms, and of refusals. */
import type { ActionTexts, DetailTexts, FrameTexts, ListTexts, RefusalTexts } from "../shapes/engine.ts"

export const nav: FrameTexts = {
  label: "Tableau de bord",
  menu: "Menu",
  home: "Accueil",
  signOut: "Se déconnecter",
  skip: "Aller au contenu",
  signedInAs: (name, role) => `${name}, ${role.toLowerCase()}`,
  fresh: "Quelque chose a changé. Afficher."
}

export const list: ListTexts = {
  filter: "Appliquer",
  filters: "Filtres",
  clear: "Effacer",
  first: "Les plus récents",
  older: "Plus anciens",
  newer: "Plus récents",
  pages: "Pages",
  any: "Tous",
  noMatch: "Rien ne correspond à ces filtres.",
  amountOfCurrency: "Indiquez aussi une devise : le montant est lu dans celle-ci.",
  from: (field) => `${field}, à partir de (UTC)`,
  before: (field) => `${field}, avant (UTC)`,
  least: (field) => `${field}, au moins`,
  most: (field) => `${field}, au plus`
}

export const detail: DetailTexts = {
  facts: "Détails",
  actions: "Actions",
  all: (things) => `${things} : tout afficher`,
  raw: "En JSON",
  another: "Vous en avez fait la demande. Une autre personne en décide.",
  rows: {
    number: "Numéro",
    outcome: "Résultat",
    response_status: "Réponse",
    duration_ms: "Millisecondes",
    error: "Erreur",
    quantity: "Quantité",
    unit_amount: "Prix unitaire",
    last_four: "Se termine par",
    field: "Champ"
  }
}

export const action: ActionTexts = {
  keep: "Retour",
  final: "Cette action est définitive.",
  optional: "facultatif",
  utc: "UTC",
  line: "un par ligne",
  choose: "Choisir",
  each: "Tous",
  unlimited: "Tous, y compris ceux à venir",
  notSent: "Rien n’a été modifié : un montant est illisible.",
  noAmount: (currency, digits) =>
    digits === 0
      ? `Indiquez un nombre entier de ${currency}, par exemple 12.`
      : `Indiquez un montant en ${currency}, par exemple 12.${"50".padEnd(digits, "0").slice(0, digits)}.`,
  noDecimal: "Indiquez un montant tel que 12.50.",
  eachCurrency: "100.00 veut dire 100.00 USD ou 10000 JPY",
  minorUnits: "Les montants de ce message sont comptés dans la plus petite unité de la devise, comme les centimes.",
  done: (done) => `${done} : fait.`,
  next: (action) => `Ensuite : ${action}.`,
  most: (currency, most) => `En ${currency}, au plus ${most} ; vide : la totalité`,
  changed: "Cet élément a été modifié entre-temps, ici ou ailleurs. Rien n’a été fait. Regardez son état actuel, puis décidez à nouveau.",
  impossible: { title: "Impossible pour le moment", text: "L’élément concerné a changé. Regardez son état actuel." },
  shownOnce: {
    title: "Affiché une seule fois",
    text: "Copiez-le maintenant et gardez-le avec vos secrets. Il ne pourra plus être affiché."
  },
  copy: "Copier",
  copied: "Copié",
  onward: "C’est noté"
}

export const refusals: RefusalTexts = {
  unauthorized: { title: "Reconnectez-vous", text: "Votre session est terminée. Rien n’a été modifié." },
  forbidden: { title: "Votre rôle ne le permet pas", text: "Adressez-vous à un propriétaire du compte." },
  rolesThatMay: (roles) => `Ces rôles le peuvent : ${roles}. Demandez-en un à un propriétaire du compte.`,
  notFound: { title: "Il n’y a rien ici", text: "L’adresse est fausse ou appartient à un autre compte." },
  conflict: { title: "Cela ne correspond pas à l’état actuel", text: "Rien n’a été modifié." },
  limited: { title: "Trop de demandes à la fois", text: "Rien n’a été modifié. Réessayez dans un instant." },
  wait: (seconds) => `Rien n’a été modifié. Réessayez dans ${seconds} s.`,
  unavailable: {
    title: "Le service ne peut pas répondre",
    text: "Réessayez dans un instant. Un formulaire envoyé deux fois ne fait rien en double."
  },
  broken: { title: "Une erreur s’est produite", text: "Réessayez dans un instant. Un formulaire envoyé deux fois ne fait rien en double." }
}
