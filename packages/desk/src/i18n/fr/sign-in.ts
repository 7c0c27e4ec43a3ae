import type { SignInTexts } from "../shapes/sign-in.ts"

export const signIn: SignInTexts = {
  title: "Se connecter",
  text: "Votre clé d’accès dit qui vous êtes. Rien à saisir.",
  passkey: "Se connecter avec une clé d’accès",
  provider: "Se connecter avec votre fournisseur d’identité",
  noScript:
    "La connexion demande JavaScript : le navigateur garde votre clé d’accès, et seul un script peut la demander. La lecture s’en passe.",
  unsupported: "Ce navigateur ne crée pas de clés d’accès. Prenez-en un plus récent, ou votre fournisseur d’identité.",
  failed: "Le navigateur n’a donné aucune clé d’accès. Réessayez.",
  goOn: "Continuer",
  goingOn: { title: "Un instant", text: "La page continue toute seule." },
  over: { title: "Vous êtes déconnecté", text: "Connectez-vous pour reprendre où vous en étiez." },
  join: {
    title: "Rejoindre le tableau de bord",
    text: (role, account) =>
      account === null
        ? `Vous rejoignez l’installation avec le rôle ${role.toLowerCase()}.`
        : `Vous rejoignez ${account} avec le rôle ${role.toLowerCase()}.`,
    name: "Votre nom",
    passkey: "Rejoindre avec une nouvelle clé d’accès",
    why: "Une clé d’accès remplace le mot de passe. Votre appareil la garde et demande votre doigt, votre visage ou un code. " +
      "Ce que vous faites ici est conservé avec votre nom.",
    over: { title: "Ce lien ne fonctionne plus", text: "Il sert une fois, et peu de temps. Demandez-en un autre." },
    as: (name) => `Rejoindre en tant que ${name}`
  },
  invite: {
    title: "Inviter quelqu’un",
    text: "On rejoint par un lien, une seule fois. Envoyé par e-mail, il vaut un jour ; transmis par vous, dix minutes.",
    role: "Rôle",
    email: "Adresse e-mail (facultatif)",
    go: "Créer le lien",
    done: "Le lien est créé",
    once: "Personne ne le reverra après cette page.",
    mailed: "Il a aussi été envoyé par e-mail.",
    link: "Lien"
  },
  confirm: {
    title: "Confirmez que c’est vous",
    text: "Ce que vous allez faire donne du pouvoir : il faut une nouvelle preuve de votre identité.",
    passkey: "Confirmer avec votre clé d’accès",
    done: "Confirmé",
    again: "Le faire maintenant"
  },
  refusals: {
    title: "Cela n’a pas fonctionné",
    unavailable: "Le fournisseur d’identité ne répond pas. Réessayez dans un instant, ou prenez une clé d’accès.",
    stale: "C’était trop long, ou déjà utilisé. Réessayez.",
    unknown: "Personne ne se connecte ici avec cela. Demandez une invitation à un propriétaire.",
    invalid: "Cela n’a pas prouvé qui vous êtes. Réessayez.",
    taken: "Quelqu’un d’autre utilise ici ce compte du fournisseur d’identité.",
    uninvited: "L’invitation est pour une autre adresse e-mail, ou votre fournisseur d’identité n’a pas vérifié la vôtre.",
    nowhere: "Vous n’avez plus de rôle ici. Demandez une invitation à un propriétaire.",
    tooMany: "Trop d’essais depuis votre réseau. Réessayez dans une heure.",
    badName: "Écrivez de 1 à 80 caractères sur une ligne.",
    known: "Vous êtes déjà ici. Connectez-vous, puis ouvrez à nouveau le lien."
  },
  you: {
    title: "Vous",
    link: "Vous et vos comptes",
    passkeys: "Clés d’accès",
    passkeyName: "Nom",
    defaultName: "Clé d’accès",
    addPasskey: "Ajouter une clé d’accès",
    rename: "Renommer",
    remove: "Supprimer",
    lastWayIn: "C’est votre dernier accès. Ajoutez d’abord une autre clé d’accès.",
    made: "Créée",
    used: "Dernière utilisation",
    provider: "Fournisseur d’identité",
    linked: "Vous pouvez vous connecter par votre fournisseur d’identité.",
    linkProvider: "Relier votre fournisseur d’identité",
    sessions: "Où vous êtes connecté",
    thisSession: "Ce navigateur",
    seen: "Dernière utilisation",
    revoke: "Déconnecter là-bas",
    accounts: "Vos comptes",
    here: "Vous êtes ici",
    moveTo: "Y aller",
    language: "Langue",
    chooseLanguage: "Utiliser cette langue"
  }
}
