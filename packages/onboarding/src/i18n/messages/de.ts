import type { Messages } from "./shape.ts"

export const de: Messages = {
  testMode: "Testmodus",
  gone: {
    title: "Diese Seite gibt es nicht",
    text: "Vielleicht ist die Adresse unvollständig. Öffnen Sie den Link noch einmal dort, wo Sie ihn gefunden haben."
  },
  tooMany: {
    title: "Zu viele Versuche",
    text: "Warten Sie einige Minuten und laden Sie die Seite neu. Was Sie zuletzt gesendet haben, wurde nicht gespeichert."
  },
  broken: {
    title: "Etwas ist schiefgegangen",
    text: "Der Fehler liegt bei uns. Laden Sie die Seite gleich noch einmal: Sie zeigt, ob Ihre Angaben angekommen sind."
  },
  notOwn: {
    title: "Dieses Formular ist veraltet",
    text: "Nichts wurde gespeichert. Öffnen Sie den Link noch einmal und füllen Sie das Formular dort aus."
  },
  expired: {
    title: "Diese Seite ist abgelaufen",
    text: "Sie galt eine Stunde lang, und nichts wurde gespeichert. Bitten Sie um einen neuen Link, wo Sie diesen bekommen haben."
  },
  check: {
    title: "Bitte prüfen Sie Ihre Angaben",
    text: "Noch wurde nichts gespeichert. Unten steht bei den Feldern, was zu berichtigen ist."
  },
  optional: (label) => `${label} (freiwillig)`,
  choose: "Bitte wählen …",
  cardNumber: "Das sieht nach einer Kartennummer aus. Geben Sie hier keine ein.",
  bank: {
    title: "Bankkonto für Auszahlungen",
    lead: (account) =>
      `Auszahlungen von ${account} gehen auf dieses Konto. Die Nummer wird verschlüsselt gespeichert; gezeigt werden nur ihre ` +
      `letzten vier Zeichen.`,
    holder: "Kontoinhaber",
    country: "Land der Bank",
    currency: "Währung",
    number: "IBAN oder Kontonummer",
    routing: "Bankleitzahl, Sort Code oder BIC (nur ohne IBAN)",
    send: "Bankkonto speichern",
    errors: {
      holder: "Geben Sie den Namen des Kontoinhabers ein, wie ihn die Bank kennt.",
      country: "Wählen Sie das Land der Bank.",
      currency: "Wählen Sie die Währung des Kontos.",
      number: "Geben Sie die IBAN oder die Kontonummer ein, wie sie auf dem Kontoauszug steht.",
      otherCountry: "Diese IBAN gehört zu einem anderen Land als dem oben gewählten.",
      routing: "Geben Sie 6 bis 12 Buchstaben, Ziffern und Bindestriche ein.",
      routingMissing: "Eine Kontonummer ohne IBAN braucht die Leitzahl ihrer Bank."
    },
    done: {
      title: "Bankkonto gespeichert",
      text: (end) => `Das Konto mit der Endung ${end} wird geprüft, bevor Geld dorthin geht. Sie können diese Seite schließen.`
    }
  },
  business: {
    title: "Über Ihr Unternehmen",
    lead: (account) => `Banken müssen wissen, wer hinter ${account} steht, bevor Geld ausgezahlt wird.`,
    asked: "Das wird noch gebraucht",
    keeps: "Was Sie leer lassen, bleibt, wie es ist.",
    type: "Wer es betreibt",
    organization: "Eine Firma oder andere Organisation",
    individual: "Eine einzelne Person",
    name: "Vollständiger rechtlicher Name",
    country: "Land des Sitzes oder Wohnorts",
    registration: "Nummer im Handelsregister",
    birthDate: "Geburtsdatum",
    address: "Anschrift",
    line1: "Straße und Hausnummer",
    postalCode: "Postleitzahl",
    city: "Ort",
    addressCountry: "Land der Anschrift",
    send: "Zur Prüfung senden",
    errors: {
      type: "Wählen Sie, wer das Unternehmen betreibt.",
      name: "Geben Sie den Namen ein, wie er im Register oder im Ausweis steht.",
      country: "Wählen Sie ein Land.",
      registration: "Geben Sie bis zu 40 Buchstaben, Ziffern, Leerzeichen, Punkte, Schrägstriche und Bindestriche ein.",
      birthDate: "Geben Sie ein Datum wie 1990-12-31 ein.",
      line1: "Geben Sie Straße und Hausnummer ein.",
      postalCode: "Geben Sie bis zu 20 Zeichen ein.",
      city: "Geben Sie den Ort ein."
    },
    outcomes: {
      pending: { title: "Wird geprüft", text: "Ihre Angaben sind angekommen und werden geprüft. Sie können diese Seite schließen." },
      verified: { title: "Ihr Unternehmen ist bestätigt", text: "Mehr wird nicht gebraucht. Sie können diese Seite schließen." },
      requires_info: {
        title: "Es fehlt noch etwas",
        text: "Bei der Prüfung wird nach mehr gefragt. Bitten Sie um einen neuen Link, wo Sie diesen bekommen haben."
      },
      failed: {
        title: "Die Prüfung ist fehlgeschlagen",
        text: "Ihr Unternehmen konnte nicht bestätigt werden. Bitten Sie um einen neuen Link, um Ihre Angaben zu berichtigen."
      }
    }
  }
}
