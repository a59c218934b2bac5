import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import type { FieldReason, FieldRefusals } from './address-rules.ts'
import type { AddressRefusal } from './keep-address.ts'

type Words<Key extends string> = Record<Key, string>

interface AddressWords {
  refusal: Words<AddressRefusal['reason']>
  field: Words<FieldReason>
}

export const addressWords: Record<Language, AddressWords> = {
  en: {
    refusal: {
      'address-invalid': 'Please check the fields marked below.',
      'unknown-address': 'This address is no longer in your account.',
      'too-many-addresses': 'Your account holds no more addresses. Delete one you no longer need first.',
    },
    field: {
      missing: 'Please fill this in.',
      'too-long': 'This is too long.',
      signs: 'This contains characters that cannot be printed.',
      'postcode-format': 'This is not a postcode of this country.',
      'phone-format': 'This is not a phone number we can call.',
      'country-unknown': 'We do not deliver to this country yet.',
      'vat-number-format': 'This is not a VAT number. It starts with the country’s letters.',
    },
  },
  fr: {
    refusal: {
      'address-invalid': 'Vérifiez les champs signalés ci-dessous.',
      'unknown-address': 'Cette adresse ne figure plus dans votre compte.',
      'too-many-addresses': 'Votre carnet d’adresses est plein. Supprimez d’abord une adresse devenue inutile.',
    },
    field: {
      missing: 'Remplissez ce champ.',
      'too-long': 'C’est trop long.',
      signs: 'Ce champ contient des signes non imprimables.',
      'postcode-format': 'Ce n’est pas un code postal de ce pays.',
      'phone-format': 'Ce numéro de téléphone n’est pas valable.',
      'country-unknown': 'Nous ne livrons pas encore dans ce pays.',
      'vat-number-format': 'Ce n’est pas un numéro de TVA. Il commence par les lettres du pays.',
    },
  },
  de: {
    refusal: {
      'address-invalid': 'Bitte prüfen Sie die markierten Felder.',
      'unknown-address': 'Diese Adresse ist nicht mehr in Ihrem Konto.',
      'too-many-addresses': 'Ihr Adressbuch ist voll. Löschen Sie zuerst eine Adresse, die Sie nicht mehr brauchen.',
    },
    field: {
      missing: 'Bitte ausfüllen.',
      'too-long': 'Das ist zu lang.',
      signs: 'Hier stehen Zeichen, die sich nicht drucken lassen.',
      'postcode-format': 'Das ist keine Postleitzahl dieses Landes.',
      'phone-format': 'Diese Telefonnummer stimmt nicht.',
      'country-unknown': 'In dieses Land liefern wir noch nicht.',
      'vat-number-format': 'Das ist keine USt-IdNr. Sie beginnt mit den Buchstaben des Landes.',
    },
  },
  es: {
    refusal: {
      'address-invalid': 'Revisa los campos marcados.',
      'unknown-address': 'Esta dirección ya no está en tu cuenta.',
      'too-many-addresses': 'No caben más direcciones en tu cuenta. Elimina antes alguna que ya no uses.',
    },
    field: {
      missing: 'Rellena este campo.',
      'too-long': 'Es demasiado largo.',
      signs: 'Contiene signos que no se pueden imprimir.',
      'postcode-format': 'No es un código postal de este país.',
      'phone-format': 'Este número de teléfono no es válido.',
      'country-unknown': 'Todavía no enviamos a este país.',
      'vat-number-format': 'No es un NIF-IVA. Empieza por las letras del país.',
    },
  },
  it: {
    refusal: {
      'address-invalid': 'Controlla i campi segnalati.',
      'unknown-address': 'Questo indirizzo non è più nel tuo account.',
      'too-many-addresses': 'La rubrica è piena. Elimina prima un indirizzo che non usi più.',
    },
    field: {
      missing: 'Compila questo campo.',
      'too-long': 'È troppo lungo.',
      signs: 'Contiene segni che non si possono stampare.',
      'postcode-format': 'Non è un CAP di questo Paese.',
      'phone-format': 'Questo numero di telefono non è valido.',
      'country-unknown': 'Non spediamo ancora in questo Paese.',
      'vat-number-format': 'Non è una partita IVA. Inizia con le lettere del Paese.',
    },
  },
}

/** A refused address in the market's words: a sentence, and one for each field. */
export function addressFaults(market: Market, fields: FieldRefusals): { message: string; fields: { field: string; message: string }[] } {
  const words = addressWords[markets[market].language]
  return {
    message: words.refusal['address-invalid'],
    fields: Object.entries(fields).map(([field, fault]) => ({ field, message: words.field[fault] })),
  }
}
