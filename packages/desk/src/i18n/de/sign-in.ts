import type { SignInTexts } from "../shapes/sign-in.ts"

export const signIn: SignInTexts = {
  title: "Anmelden",
  text: "Ihr Passkey sagt, wer Sie sind. Sie müssen nichts eintippen.",
  passkey: "Mit einem Passkey anmelden",
  provider: "Mit Ihrem Identitätsanbieter anmelden",
  noScript:
    "Zum Anmelden braucht es JavaScript: Der Browser verwahrt Ihren Passkey, und nur ein Skript kann danach fragen. Lesen geht ohne.",
  unsupported: "Dieser Browser erstellt keine Passkeys. Nehmen Sie einen neueren oder Ihren Identitätsanbieter.",
  failed: "Der Browser hat keinen Passkey geliefert. Versuchen Sie es noch einmal.",
  goOn: "Weiter",
  goingOn: { title: "Einen Moment", text: "Die Seite geht von selbst weiter." },
  over: { title: "Sie sind abgemeldet", text: "Melden Sie sich an, um dort weiterzumachen, wo Sie waren." },
  join: {
    title: "Dem Dashboard beitreten",
    text: (role, account) =>
      account === null ? `Sie treten der Installation bei, Ihre Rolle: ${role}.` : `Sie treten ${account} bei, Ihre Rolle: ${role}.`,
    name: "Ihr Name",
    passkey: "Mit einem neuen Passkey beitreten",
    why: "Ein Passkey ersetzt das Passwort. Ihr Gerät verwahrt ihn und fragt nach Finger, Gesicht oder PIN. " +
      "Was Sie hier tun, wird mit Ihrem Namen festgehalten.",
    over: { title: "Dieser Link gilt nicht mehr", text: "Er gilt einmal und nur kurze Zeit. Bitten Sie um einen neuen." },
    as: (name) => `Als ${name} beitreten`
  },
  invite: {
    title: "Jemanden einladen",
    text: "Der Beitritt geschieht einmal, über einen Link. Per Mail gilt er einen Tag, von Ihnen weitergegeben zehn Minuten.",
    role: "Rolle",
    email: "E-Mail-Adresse (optional)",
    go: "Link erstellen",
    done: "Der Link ist erstellt",
    once: "Nach dieser Seite sieht ihn niemand mehr.",
    mailed: "Er wurde auch per Mail gesendet.",
    link: "Link"
  },
  confirm: {
    title: "Bestätigen Sie, dass Sie es sind",
    text: "Was Sie vorhaben, vergibt weitreichende Rechte. Deshalb braucht es einen frischen Nachweis, wer Sie sind.",
    passkey: "Mit Ihrem Passkey bestätigen",
    done: "Bestätigt",
    again: "Jetzt ausführen"
  },
  refusals: {
    title: "Das hat nicht geklappt",
    unavailable: "Der Identitätsanbieter antwortet nicht. Versuchen Sie es gleich noch einmal, oder nehmen Sie einen Passkey.",
    stale: "Das hat zu lange gedauert oder wurde schon benutzt. Versuchen Sie es noch einmal.",
    unknown: "Damit meldet sich hier niemand an. Bitten Sie einen Inhaber um eine Einladung.",
    invalid: "Das war kein Nachweis, wer Sie sind. Versuchen Sie es noch einmal.",
    taken: "Jemand anderes hier benutzt dieses Konto des Identitätsanbieters.",
    uninvited: "Die Einladung gilt für eine andere E-Mail-Adresse, oder Ihr Identitätsanbieter hat Ihre nicht geprüft.",
    nowhere: "Sie haben hier keine Rolle mehr. Bitten Sie einen Inhaber um eine Einladung.",
    tooMany: "Aus Ihrem Netz kamen zu viele Versuche. Versuchen Sie es in einer Stunde noch einmal.",
    badName: "Schreiben Sie 1 bis 80 Zeichen in einer Zeile.",
    known: "Sie sind schon hier. Melden Sie sich an und öffnen Sie den Link noch einmal."
  },
  you: {
    title: "Sie",
    link: "Sie und Ihre Konten",
    passkeys: "Passkeys",
    passkeyName: "Name",
    defaultName: "Passkey",
    addPasskey: "Passkey hinzufügen",
    rename: "Umbenennen",
    remove: "Entfernen",
    lastWayIn: "Das ist Ihr letzter Zugang. Fügen Sie erst einen anderen Passkey hinzu.",
    made: "Erstellt",
    used: "Zuletzt benutzt",
    provider: "Identitätsanbieter",
    linked: "Sie können sich bei Ihrem Identitätsanbieter anmelden.",
    linkProvider: "Identitätsanbieter verbinden",
    sessions: "Wo Sie angemeldet sind",
    thisSession: "Dieser Browser",
    seen: "Zuletzt benutzt",
    revoke: "Dort abmelden",
    accounts: "Ihre Konten",
    here: "Sie sind hier",
    moveTo: "Dorthin wechseln",
    language: "Sprache",
    chooseLanguage: "Diese Sprache benutzen"
  }
}
