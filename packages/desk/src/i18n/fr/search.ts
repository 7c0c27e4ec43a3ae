/** Words of the search. */
import type { SearchTexts } from "../shapes/search.ts"

export const search: SearchTexts = {
  title: "Recherche",
  label: "Tout rechercher",
  placeholder: "Rechercher",
  button: "Rechercher",
  found: (text) => `Recherche de « ${text} »`,
  empty: "Cherchez un identifiant, une adresse e-mail, un client, un nom ou le début de ses mots, une commande, " +
    "un numéro de facture, les quatre derniers chiffres " +
    "d’une carte, " +
    "une référence de prestataire, un montant comme $12.50, un jour ou un mois.",
  none: "Rien n’a été trouvé.",
  refused: "Cela ne peut pas être cherché",
  unfinished: "Une partie de la recherche a pris trop de temps. Il y a peut-être davantage.",
  understoodAs: (readings) => `Cherché comme : ${readings}.`,
  columns: { name: "Nom", amount: "Montant", state: "Statut", created: "Créé", matched: "Trouvé par" },
  matches: {
    id: "identifiant",
    invoice_number: "numéro de facture",
    email: "adresse e-mail",
    customer_reference: "référence du client",
    provider_reference: "référence du prestataire",
    order_reference: "commande",
    name: "nom",
    last_four: "quatre derniers chiffres",
    date: "date",
    amount: "montant",
    id_beginning: "début d’un identifiant"
  }
}
