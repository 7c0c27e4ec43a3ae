import type { Messages } from "./shape.ts"

export const fr: Messages = {
  testMode: "Mode test",
  gone: {
    title: "Cette page n’existe pas",
    text: "L’adresse est peut-être incomplète. Ouvrez de nouveau le lien là où vous l’avez trouvé."
  },
  tooMany: {
    title: "Trop d’essais",
    text: "Attendez quelques minutes et rechargez cette page. Votre dernier envoi n’a pas été enregistré."
  },
  broken: {
    title: "Une erreur s’est produite",
    text: "Elle vient de nous. Rechargez cette page dans un instant : elle indique si vos informations sont arrivées."
  },
  notOwn: {
    title: "Ce formulaire n’est plus à jour",
    text: "Rien n’a été enregistré. Ouvrez de nouveau le lien et remplissez le formulaire sur cette page."
  },
  expired: {
    title: "Cette page a expiré",
    text: "Elle était valable une heure, et rien n’a été enregistré. Demandez un nouveau lien à la personne qui vous l’a envoyé."
  },
  check: {
    title: "Vérifiez vos informations",
    text: "Rien n’a encore été enregistré. Les champs ci-dessous indiquent ce qu’il faut corriger."
  },
  optional: (label) => `${label} (facultatif)`,
  choose: "Choisir…",
  cardNumber: "Cela ressemble à un numéro de carte. N’en saisissez pas ici.",
  bank: {
    title: "Compte bancaire pour les versements",
    lead: (account) =>
      `Les versements de ${account} vont sur ce compte. Le numéro est chiffré ; seuls ses quatre derniers caractères seront affichés.`,
    holder: "Titulaire du compte",
    country: "Pays de la banque",
    currency: "Devise",
    number: "IBAN ou numéro de compte",
    routing: "Code de la banque ou BIC (seulement sans IBAN)",
    send: "Enregistrer le compte",
    errors: {
      holder: "Saisissez le nom du titulaire, tel que la banque le connaît.",
      country: "Choisissez le pays de la banque.",
      currency: "Choisissez la devise du compte.",
      number: "Saisissez l’IBAN ou le numéro de compte, tel qu’il figure sur un relevé.",
      otherCountry: "Cet IBAN appartient à un autre pays que celui choisi ci-dessus.",
      routing: "Saisissez de 6 à 12 lettres, chiffres et tirets.",
      routingMissing: "Un numéro de compte sans IBAN demande le code de sa banque."
    },
    done: {
      title: "Compte bancaire enregistré",
      text: (end) => `Le compte se terminant par ${end} a été ajouté. Il sera vérifié avant tout versement. Vous pouvez fermer cette page.`
    }
  },
  business: {
    title: "Votre entreprise",
    lead: (account) => `Les banques doivent savoir qui est derrière ${account} avant tout versement.`,
    asked: "Il manque encore ceci",
    keeps: "Ce que vous laissez vide reste inchangé.",
    type: "Qui l’exploite",
    organization: "Une société ou une autre organisation",
    individual: "Une seule personne",
    name: "Nom légal complet",
    country: "Pays d’immatriculation ou de résidence",
    registration: "Numéro au registre du commerce",
    birthDate: "Date de naissance",
    address: "Adresse",
    line1: "Numéro et rue",
    postalCode: "Code postal",
    city: "Ville",
    addressCountry: "Pays de l’adresse",
    send: "Envoyer pour vérification",
    errors: {
      type: "Choisissez qui exploite l’entreprise.",
      name: "Saisissez le nom tel qu’il figure au registre ou sur un passeport.",
      country: "Choisissez un pays.",
      registration: "Saisissez au plus 40 lettres, chiffres, espaces, points, barres et tirets.",
      birthDate: "Saisissez une date telle que 1990-12-31.",
      line1: "Saisissez le numéro et la rue.",
      postalCode: "Saisissez au plus 20 caractères.",
      city: "Saisissez la ville."
    },
    outcomes: {
      pending: {
        title: "Vérification en cours",
        text: "Vos informations sont arrivées et sont en cours de vérification. Vous pouvez fermer cette page."
      },
      verified: { title: "Votre entreprise est vérifiée", text: "Rien d’autre n’est nécessaire. Vous pouvez fermer cette page." },
      requires_info: {
        title: "Il manque des informations",
        text: "La vérification en demande davantage. Demandez un nouveau lien à la personne qui vous l’a envoyé."
      },
      failed: {
        title: "La vérification a échoué",
        text: "Votre entreprise n’a pas pu être vérifiée. Demandez un nouveau lien pour corriger vos informations."
      }
    }
  }
}
