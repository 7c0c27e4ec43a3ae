/** What the page of the test clock says. */
import type { ClockTexts } from "../shapes/clocks.ts"

export const clock: ClockTexts = {
  title: "Horloge de test",
  none: "Ce bac à sable vit à l’heure du monde",
  noneNote: "Avec sa propre horloge, vous voyez aujourd’hui ce qui arrive dans un an : elle est arrêtée tant que vous ne l’avancez pas, " +
    "et ne recule jamais.",
  live: "Les comptes réels n’ont pas d’horloge de test. Ouvrez le tableau de bord d’un compte bac à sable.",
  give: "Lui donner une horloge",
  now: "Moment présent du compte",
  statuses: { ready: "à l’arrêt", advancing: "en route" },
  nextDue: "Prochaine échéance",
  nothingDue: "Rien n’est prévu.",
  since: "Depuis",
  advance: "Avancer",
  by: { hour: "1 heure", day: "1 jour", week: "1 semaine", month: "1 mois" },
  toNext: "Jusqu’à la prochaine échéance",
  toMoment: "Avancer jusqu’à ce moment",
  moment: "Moment (UTC)",
  watching: "L’horloge est en route. Cette page se met à jour toute seule.",
  stop: "Arrêter ici",
  stopped: (reason) => `La dernière avance s’est terminée plus tôt : ${reason}.`,
  onTheWay: "Ce qui s’est passé en route",
  lately: "Ce qui s’est passé récemment",
  nothingHappened: "Rien ne s’est passé.",
  more: "Il s’est passé davantage ; le journal des événements a tout.",
  refused: "L’horloge n’a pas bougé",
  remove: "Retirer l’horloge",
  removeNote: "Le compte revient à l’heure du monde. Cela n’est possible que si rien ne dépend de l’horloge."
}
