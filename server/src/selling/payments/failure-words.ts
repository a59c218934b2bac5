import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import { asFailureCode, type FailureCode } from './payment.ts'

const words: Record<FailureCode, Record<Language, string>> = {
  declined: {
    en: 'Your bank declined this card.',
    fr: 'Votre banque a refusé cette carte.',
    de: 'Ihre Bank hat diese Karte abgelehnt.',
    es: 'Tu banco ha rechazado esta tarjeta.',
    it: 'La banca ha rifiutato questa carta.',
  },
  'insufficient-funds': {
    en: 'There is not enough money on this card.',
    fr: 'Le solde ou le plafond de cette carte est insuffisant.',
    de: 'Diese Karte ist nicht ausreichend gedeckt.',
    es: 'La tarjeta no tiene saldo suficiente.',
    it: 'Il saldo della carta non è sufficiente.',
  },
  'expired-card': {
    en: 'This card has expired.',
    fr: 'Cette carte a expiré.',
    de: 'Diese Karte ist abgelaufen.',
    es: 'La tarjeta está caducada.',
    it: 'La carta è scaduta.',
  },
  'wrong-code': {
    en: 'The security code is not right.',
    fr: 'Le code de sécurité est incorrect.',
    de: 'Die Prüfziffer stimmt nicht.',
    es: 'El código de seguridad no es correcto.',
    it: 'Il codice di sicurezza non è corretto.',
  },
  'lost-card': {
    en: 'This card has been blocked. Please use another one.',
    fr: 'Cette carte est bloquée. Veuillez en utiliser une autre.',
    de: 'Diese Karte ist gesperrt. Bitte nehmen Sie eine andere.',
    es: 'La tarjeta está bloqueada. Usa otra, por favor.',
    it: 'La carta è bloccata. Usane un’altra.',
  },
  'authentication-failed': {
    en: 'Your bank could not confirm that it is you.',
    fr: 'Votre banque n’a pas pu confirmer votre identité.',
    de: 'Ihre Bank konnte nicht bestätigen, dass Sie es sind.',
    es: 'Tu banco no ha podido confirmar tu identidad.',
    it: 'La banca non è riuscita a confermare la tua identità.',
  },
  'capture-declined': {
    en: 'Your bank approved the card at first, then declined the payment.',
    fr: 'Votre banque a d’abord accepté la carte, puis refusé le paiement.',
    de: 'Ihre Bank hat die Karte erst angenommen und die Zahlung dann abgelehnt.',
    es: 'Tu banco aceptó la tarjeta, pero después rechazó el pago.',
    it: 'La banca ha prima accettato la carta e poi rifiutato il pagamento.',
  },
  unavailable: {
    en: 'Your bank cannot be reached at the moment.',
    fr: 'Votre banque est injoignable pour le moment.',
    de: 'Ihre Bank ist gerade nicht erreichbar.',
    es: 'Ahora mismo no se puede contactar con tu banco.',
    it: 'Al momento la banca non è raggiungibile.',
  },
}

/** Why the last card did not work, in the market's language; null when none has failed. */
export function failureMessage(market: Market, code: string | null): string | null {
  return code === null ? null : words[asFailureCode(code)][markets[market].language]
}
