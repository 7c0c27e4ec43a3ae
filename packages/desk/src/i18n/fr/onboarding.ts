import type { OnboardingTexts } from "../shapes/onboarding.ts"

/** Words of the views of `onboarding`. */
export const views = {
  terms: { many: "Conditions", one: "Conditions", none: "Il n’y a pas de conditions." },
  terms_acceptances: {
    many: "Acceptations des conditions",
    one: "Acceptation des conditions",
    none: "Les conditions n’ont pas encore été acceptées."
  },
  go_live_requests: {
    many: "Passage en production",
    one: "Demande de passage en production",
    none: "Personne n’a encore demandé le passage en production."
  },
  operator_go_live_requests: {
    many: "Demandes de passage en production",
    one: "Demande de passage en production",
    none: "Aucun compte ne demande le passage en production."
  }
}

export const fields = {
  accepted_at: "Accepté",
  accepted_by: "Accepté par",
  account_name: "Nom du compte",
  live_account_id: "Compte de production",
  rejection_reason: "Motif du rejet",
  terms_version: "Version",
  text: "Texte",
  version: "Version"
}

export const actions = {
  terms: { accept: "Accepter les conditions" },
  terms_acceptances: {},
  go_live_requests: { create: "Demander le passage en production" },
  operator_go_live_requests: { approve: "Approuver et ouvrir le compte de production", reject: "Rejeter" }
}

export const onboarding: OnboardingTexts = {
  title: "Sur la voie de la production",
  live: {
    title: "Votre compte est en production : ce qui reste à faire",
    payment: "Envoyez un client sur une page de paiement, ou débitez un moyen de paiement. Les cartes de test ne fonctionnent pas ici."
  },
  progress: (done, all) => `${done} étapes sur ${all} sont faites.`,
  opened: "Votre compte de production est ouvert : passez-y sous « Vos comptes »",
  states: { done: "Fait", open: "À faire", waiting: "En examen" },
  steps: {
    terms: {
      title: "Accepter les conditions",
      text: "Un propriétaire les lit et les accepte pour le compte.",
      waits: "Les conditions attendent d’être acceptées."
    },
    business_verified: {
      title: "Faire vérifier votre entreprise",
      text: "Dites qui est derrière le compte.",
      waits: "L’entreprise est en cours d’examen."
    },
    payout_bank: {
      title: "Ajouter un compte bancaire pour les virements",
      text: "Dites où va votre argent, et faites vérifier le compte.",
      waits: "Le compte bancaire est vérifié et deviendra actif tout seul."
    },
    webhook_endpoint: {
      title: "Être informé des paiements",
      text: "Indiquez où votre serveur reçoit les webhooks.",
      waits: "Le point de terminaison est en cours d’examen."
    },
    first_payment: {
      title: "Accepter un paiement",
      text: "Envoyez ceci depuis un terminal, avec une clé secrète de ce compte.",
      waits: "Le paiement est en cours."
    },
    live: {
      title: "Passer en production",
      text: "Quand tout le reste est fait, un propriétaire demande le compte de production. Le bac à sable reste pour les essais.",
      waits: "L’exploitant examine la demande."
    }
  },
  requests: {
    title: "Demandes de passage en production",
    none: "Aucun compte n’attend le passage en production.",
    waits: "demande le passage en production"
  }
}
