/** What the page that verifies the ledger says. */
import type { LedgerTexts } from "../shapes/ledger.ts"

export const ledger: LedgerTexts = {
  title: "Vérifier les comptes",
  holds: "Les comptes sont justes",
  holdsNote: (checked) => `${checked} écritures ont été recalculées : chacune est liée à la précédente, et les soldes en sont la somme.`,
  broken: (sequenceId) => `Les comptes se rompent à l’écriture ${sequenceId}`,
  reasons: {
    gap: "Une écriture manque.",
    prev_mismatch: "L’écriture n’est pas liée à la précédente.",
    hash_mismatch: "L’écriture a été modifiée après coup.",
    balance_mismatch:
      "Elle déplace l’argent comme aucune écriture de son type, ou les soldes enregistrés ne sont pas la somme des écritures.",
    head_mismatch: "La chaîne ne se termine pas où sa tête l’indique.",
    checkpoint_mismatch: "La chaîne n’est pas celle pour laquelle le dernier point de contrôle a été signé.",
    state_mismatch: "Les montants d’une ressource ne sont pas ceux de ses écritures."
  },
  about: "Cela concerne",
  whatNow: "Enregistrez l’export maintenant et montrez-le, avec cette page, à ceux qui exploitent l’installation.",
  again: "Vérifier à nouveau",
  chain: "La chaîne",
  chainNote: "Chaque morceau finit à un point de contrôle signé ; le dernier finit à la tête.",
  piece: (from, to) => `Écritures ${from}–${to}`,
  checkpoint: "Point de contrôle",
  head: "Tête",
  brokenPiece: "se rompt ici",
  unchecked: "non vérifié",
  empty: "Le grand livre n’a pas encore d’écritures.",
  links: "Les derniers maillons",
  linksNote: "Le hachage précédent est celui de la ligne du dessous.",
  place: "Écriture",
  event: "Événement",
  before: "Hachage précédent",
  own: "Son hachage",
  checkpoints: "Points de contrôle",
  checkpointsNote: "Signés chaque jour où de l’argent bouge. Gardez-les ailleurs : ils prouvent ce que contenait le grand livre.",
  noCheckpoints: "Rien n’a encore été signé.",
  signed: "Signé",
  upTo: "Jusqu’à l’écriture",
  root: "Racine",
  key: "Clé",
  exported: "Export",
  exportNote:
    "Toutes les écritures et tous les points de contrôle, un texte JSON par ligne, comme les lit le programme qui les vérifie ailleurs.",
  save: "Enregistrer le grand livre",
  busy: "Le grand livre n’a pas été vérifié"
}
