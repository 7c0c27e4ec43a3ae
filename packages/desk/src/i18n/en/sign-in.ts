import type { SignInTexts } from "../shapes/sign-in.ts"

export const signIn: SignInTexts = {
  title: "Sign in",
  text: "Your passkey says who you are. Nothing has to be typed.",
  passkey: "Sign in with a passkey",
  provider: "Sign in with your identity provider",
  noScript: "Signing in needs JavaScript: the browser keeps your passkey, and only a script can ask for it. Reading the desk needs none.",
  unsupported: "This browser makes no passkeys. Use a newer one, or your identity provider.",
  failed: "The browser gave no passkey. Try again.",
  goOn: "Go on",
  goingOn: { title: "One moment", text: "The page goes on by itself." },
  over: { title: "You are signed out", text: "Sign in to go on where you were." },
  join: {
    title: "Join the desk",
    text: (role, account) => account === null ? `You join the installation as ${role}.` : `You join ${account} as ${role}.`,
    name: "Your name",
    passkey: "Join with a new passkey",
    why: "A passkey takes the place of a password. Your device keeps it, and asks for your finger, face or PIN. " +
      "What you do here is kept with your name.",
    over: { title: "This link works no more", text: "It works once, and for a short time. Ask for another one." },
    as: (name) => `Join as ${name}`
  },
  invite: {
    title: "Invite somebody",
    text: "They join by a link, once. Sent by mail, it works for a day; handed on by you, for ten minutes.",
    role: "Role",
    email: "E-mail address (optional)",
    go: "Make the link",
    done: "The link is made",
    once: "Nobody sees it again after this page.",
    mailed: "It was sent by mail, too.",
    link: "Link"
  },
  confirm: {
    title: "Confirm that it is you",
    text: "What you are about to do gives power, so it needs a fresh proof of who you are.",
    passkey: "Confirm with your passkey",
    done: "Confirmed",
    again: "Do it now"
  },
  refusals: {
    title: "That did not work",
    unavailable: "The identity provider does not answer. Try again in a moment, or use a passkey.",
    stale: "This took too long, or was used before. Try again.",
    unknown: "Nobody signs in here with that. Ask an owner for an invitation.",
    invalid: "That did not prove who you are. Try again.",
    taken: "Somebody else here uses that account of the identity provider.",
    uninvited: "The invitation is for another e-mail address, or your identity provider has not verified yours.",
    nowhere: "You have no role here any more. Ask an owner for an invitation.",
    tooMany: "There were too many tries from your network. Try again in an hour.",
    badName: "Write 1 to 80 characters on one line.",
    known: "You are here already. Sign in as yourself, and open the link again."
  },
  you: {
    title: "You",
    link: "You and your accounts",
    passkeys: "Passkeys",
    passkeyName: "Name",
    defaultName: "Passkey",
    addPasskey: "Add a passkey",
    rename: "Rename",
    remove: "Remove",
    lastWayIn: "This is your last way in. Add another passkey first.",
    made: "Made",
    used: "Last used",
    provider: "Identity provider",
    linked: "You can sign in at your identity provider.",
    linkProvider: "Link your identity provider",
    sessions: "Where you are signed in",
    thisSession: "This browser",
    seen: "Last used",
    revoke: "Sign out there",
    accounts: "Your accounts",
    here: "You are here",
    moveTo: "Go there",
    language: "Language",
    chooseLanguage: "Use this language"
  }
}
