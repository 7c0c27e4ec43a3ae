/** What the page of a dispute says. */
import type { DisputeTexts } from "../shapes/disputes.ts"

export const dispute: DisputeTexts = {
  title: "Litige",
  dueBy: "Répondre avant le",
  dueNote: "La réponse peut être envoyée une seule fois. Sans réponse, le litige est perdu à l’échéance.",
  closed: "Il n’y a plus rien à répondre.",
  decided: "Le litige est clos",
  submitted: "Les justificatifs ont été envoyés. Le réseau décide.",
  reason: "Motif",
  network: "Réseau",
  claims: {
    fraudulent: "Le titulaire de la carte dit ne pas avoir fait ce paiement.",
    general: "La banque dit que le paiement n’a pas été autorisé comme il l’aurait dû.",
    duplicate: "Le client dit avoir été débité deux fois, ou avoir payé autrement.",
    product_not_received: "Le client dit ne pas avoir reçu ce qu’il a payé.",
    product_unacceptable: "Le client dit que ce qu’il a reçu n’est pas ce qui était promis.",
    subscription_canceled: "Le client dit avoir résilié avant d’être débité.",
    credit_not_processed: "Le client dit qu’un remboursement promis n’est pas arrivé.",
    unknown: "Le code du réseau n’est pas connu ici. Consultez la liste du réseau."
  },
  advice: {
    fraudulent: "Montrez que le titulaire a participé : 3-D Secure, achats antérieurs avec le même appareil ou la même adresse IP, " +
      "contrôles de l’adresse et du cryptogramme, utilisation après l’achat.",
    general: "Montrez l’autorisation et le montant tel que le titulaire l’a accepté.",
    duplicate: "Montrez deux commandes, chacune avec ce qui a été livré et convenu, ou le remboursement de la seconde.",
    product_not_received: "Montrez la livraison à l’adresse indiquée, ou un journal d’accès ou de téléchargement antérieur au litige.",
    product_unacceptable: "Montrez la description au moment de l’achat, ce qui a été livré, et qu’aucun retour n’a été proposé ni fait.",
    subscription_canceled:
      "Montrez les conditions de résiliation acceptées, qu’aucune résiliation n’est arrivée, l’utilisation ensuite, et l’avis " +
      "avant renouvellement.",
    credit_not_processed: "Montrez le remboursement, ou les règles de remboursement acceptées lors de l’achat.",
    unknown: "Lisez le motif du réseau et répondez à ce qu’il affirme."
  },
  helps: "Ce qui aide",
  money: "Argent",
  heldNow: "Retenu tant qu’il est ouvert",
  heldNothing: "Plus rien n’est retenu",
  fee: "Frais du litige",
  payment: "Paiement",
  previous: "Litige précédent",
  evidence: "Justificatifs",
  given: "Ce qui a été fourni",
  none: "Aucun justificatif pour l’instant.",
  fields: {
    product_description: "Ce qui a été vendu",
    customer_communication: "Ce que le client a écrit, et ce qui a été répondu",
    shipping_documentation: "Comment et quand cela a été livré",
    access_activity_log: "Quand et d’où cela a été utilisé",
    refund_policy: "Règles de remboursement vues par le client",
    cancellation_policy: "Règles de résiliation vues par le client",
    signed_agreement: "Ce que le client a accepté",
    compelling_evidence: "Paiements antérieurs de ce client jamais contestés",
    other: "Autre chose"
  },
  files: "Fichiers",
  addFiles: "Ajouter des fichiers",
  filesNote: "PDF, PNG ou JPEG, 4 Mio au plus chacun.",
  tooLarge: "Les fichiers sont trop gros ensemble. Ajoutez-les l’un après l’autre : 4 Mio au plus chacun.",
  save: "Enregistrer les justificatifs",
  submit: "Enregistrer et envoyer au réseau",
  submitNote: "L’envoi est définitif.",
  accept: "Accepter le litige",
  acceptNote: "Le client garde l’argent, et les frais ne sont pas rendus. C’est définitif.",
  acceptSure: "Je veux que le client garde l’argent",
  refused: "Rien n’a été envoyé",
  timeline: "Chronologie",
  entries: "Écritures du grand livre",
  download: "Enregistrer"
}
