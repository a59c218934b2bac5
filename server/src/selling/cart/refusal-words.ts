import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import type { RefusalReason, Refused } from '@purlin/contract/refusals.ts'

type Words = Record<Language, string>

/** What stands in braces, a figure or a name, comes from the refusal's details; no sentence begins with it. */
const reasons: Record<RefusalReason, Words> = {
  'unknown-offer': {
    en: 'This offer is no longer available.',
    fr: 'Cette offre n’est plus disponible.',
    de: 'Dieses Angebot gibt es nicht mehr.',
    es: 'Esta oferta ya no está disponible.',
    it: 'Questa offerta non è più disponibile.',
  },
  'not-for-this-market': {
    en: 'This offer is not sold in your country.',
    fr: 'Cette offre n’est pas vendue dans votre pays.',
    de: 'Dieses Angebot wird in Ihrem Land nicht verkauft.',
    es: 'Esta oferta no se vende en tu país.',
    it: 'Questa offerta non è in vendita nel tuo Paese.',
  },
  'out-of-stock': {
    en: 'There are not that many in stock: {available} left.',
    fr: 'Stock insuffisant : il en reste {available}.',
    de: 'So viele sind nicht auf Lager: noch {available} verfügbar.',
    es: 'No hay existencias suficientes: quedan {available}.',
    it: 'Quantità non disponibile: ne restano {available}.',
  },
  'quantity-not-positive': {
    en: 'Please choose at least one.',
    fr: 'Choisissez au moins un article.',
    de: 'Bitte wählen Sie mindestens ein Stück.',
    es: 'Elige al menos una unidad.',
    it: 'Scegli almeno un pezzo.',
  },
  'quantity-not-multiple': {
    en: 'This is sold in multiples of {step}.',
    fr: 'Cet article se vend par multiples de {step}.',
    de: 'Dieser Artikel wird in Schritten von {step} Stück verkauft.',
    es: 'Este artículo se vende en múltiplos de {step}.',
    it: 'Questo articolo si vende a multipli di {step}.',
  },
  'quantity-too-large': {
    en: 'You can order {max} of these at most.',
    fr: 'Vous pouvez en commander {max} au maximum.',
    de: 'Sie können höchstens {max} Stück bestellen.',
    es: 'Puedes pedir como máximo {max} unidades.',
    it: 'Puoi ordinarne al massimo {max}.',
  },
  'sample-limit': {
    en: 'One sample per order.',
    fr: 'Un seul échantillon par commande.',
    de: 'Ein Muster pro Bestellung.',
    es: 'Una muestra por pedido.',
    it: 'Un solo campione per ordine.',
  },
  'unknown-line': {
    en: 'This item is not in your basket any more.',
    fr: 'Cet article n’est plus dans votre panier.',
    de: 'Dieser Artikel ist nicht mehr im Warenkorb.',
    es: 'Este artículo ya no está en tu cesta.',
    it: 'Questo articolo non è più nel carrello.',
  },
  'cart-empty': {
    en: 'Your basket is empty.',
    fr: 'Votre panier est vide.',
    de: 'Ihr Warenkorb ist leer.',
    es: 'Tu cesta está vacía.',
    it: 'Il carrello è vuoto.',
  },
  'cart-changed': {
    en: 'Something in your basket has changed. Please have a look before you order.',
    fr: 'Votre panier a changé. Vérifiez-le avant de commander.',
    de: 'In Ihrem Warenkorb hat sich etwas geändert. Bitte sehen Sie ihn vor dem Bestellen noch einmal an.',
    es: 'Algo ha cambiado en tu cesta. Revísala antes de hacer el pedido.',
    it: 'Qualcosa nel carrello è cambiato. Controllalo prima di ordinare.',
  },
  'sold-out': {
    en: 'Sold out in the meantime: {title}.',
    fr: 'Épuisé entre-temps : {title}.',
    de: 'Inzwischen ausverkauft: {title}.',
    es: 'Se ha agotado entretanto: {title}.',
    it: 'Nel frattempo esaurito: {title}.',
  },
  'cart-too-large': {
    en: 'This is more than one basket can hold. Please make two orders.',
    fr: 'C’est plus qu’un panier ne peut contenir. Passez deux commandes.',
    de: 'Das ist mehr, als in einen Warenkorb passt. Bitte bestellen Sie in zwei Teilen.',
    es: 'Es más de lo que cabe en una cesta. Haz dos pedidos.',
    it: 'È più di quanto un carrello possa contenere. Fai due ordini.',
  },
  'coupon-unknown': {
    en: 'We do not know this code.',
    fr: 'Ce code n’existe pas.',
    de: 'Diesen Code kennen wir nicht.',
    es: 'No conocemos este código.',
    it: 'Questo codice non esiste.',
  },
  'coupon-expired': {
    en: 'This code has expired.',
    fr: 'Ce code a expiré.',
    de: 'Dieser Code ist abgelaufen.',
    es: 'Este código ha caducado.',
    it: 'Questo codice è scaduto.',
  },
  'coupon-not-yet-valid': {
    en: 'This code is not valid yet.',
    fr: 'Ce code n’est pas encore valable.',
    de: 'Dieser Code gilt noch nicht.',
    es: 'Este código todavía no es válido.',
    it: 'Questo codice non è ancora valido.',
  },
  'coupon-exhausted': {
    en: 'This code has been used up.',
    fr: 'Ce code n’est plus disponible.',
    de: 'Dieser Code ist aufgebraucht.',
    es: 'Este código está agotado.',
    it: 'Questo codice è esaurito.',
  },
  'coupon-already-used': {
    en: 'You have used this code before.',
    fr: 'Vous avez déjà utilisé ce code.',
    de: 'Sie haben diesen Code schon eingelöst.',
    es: 'Ya has utilizado este código.',
    it: 'Hai già usato questo codice.',
  },
  'coupon-minimum-not-met': {
    en: 'Your basket does not reach the minimum for this code.',
    fr: 'Votre panier n’atteint pas le minimum pour ce code.',
    de: 'Ihr Warenkorb erreicht den Mindestwert für diesen Code nicht.',
    es: 'Tu cesta no alcanza el mínimo para este código.',
    it: 'Il carrello non raggiunge il minimo per questo codice.',
  },
  'coupon-not-applicable': {
    en: 'This code does not apply to anything in your basket.',
    fr: 'Ce code ne s’applique à aucun article de votre panier.',
    de: 'Dieser Code gilt für nichts in Ihrem Warenkorb.',
    es: 'Este código no se aplica a nada de tu cesta.',
    it: 'Questo codice non vale per gli articoli nel carrello.',
  },
  'coupon-other-market': {
    en: 'This code is not valid in this country.',
    fr: 'Ce code n’est pas valable dans ce pays.',
    de: 'Dieser Code gilt in diesem Land nicht.',
    es: 'Este código no es válido en este país.',
    it: 'Questo codice non vale in questo Paese.',
  },
  'too-many-attempts': {
    en: 'Too many tries. Please wait a quarter of an hour.',
    fr: 'Trop d’essais. Patientez un quart d’heure.',
    de: 'Zu viele Versuche. Bitte warten Sie eine Viertelstunde.',
    es: 'Demasiados intentos. Espera un cuarto de hora.',
    it: 'Troppi tentativi. Attendi un quarto d’ora.',
  },
  'email-invalid': {
    en: 'Please check the e-mail address.',
    fr: 'Vérifiez l’adresse e-mail.',
    de: 'Bitte prüfen Sie die E-Mail-Adresse.',
    es: 'Revisa la dirección de correo.',
    it: 'Controlla l’indirizzo e-mail.',
  },
  'address-invalid': {
    en: 'Please check the fields marked below.',
    fr: 'Vérifiez les champs signalés ci-dessous.',
    de: 'Bitte prüfen Sie die markierten Felder.',
    es: 'Revisa los campos señalados.',
    it: 'Controlla i campi segnalati.',
  },
  'address-missing': {
    en: 'We still need your address.',
    fr: 'Il nous manque votre adresse.',
    de: 'Ihre Adresse fehlt noch.',
    es: 'Falta tu dirección.',
    it: 'Manca il tuo indirizzo.',
  },
  'delivery-unknown': {
    en: 'This seller is not part of your order.',
    fr: 'Ce vendeur ne fait pas partie de votre commande.',
    de: 'Dieser Händler gehört nicht zu Ihrer Bestellung.',
    es: 'Este vendedor no forma parte de tu pedido.',
    it: 'Questo venditore non fa parte dell’ordine.',
  },
  'delivery-not-available': {
    en: 'This kind of delivery is not available for these items.',
    fr: 'Ce mode de livraison n’est pas proposé pour ces articles.',
    de: 'Diese Lieferart gibt es für diese Artikel nicht.',
    es: 'Esta forma de entrega no está disponible para estos artículos.',
    it: 'Questa modalità di consegna non è disponibile per questi articoli.',
  },
  'delivery-missing': {
    en: 'Please choose how each seller should deliver.',
    fr: 'Choisissez la livraison pour chaque vendeur.',
    de: 'Bitte wählen Sie die Lieferung für jeden Händler.',
    es: 'Elige la entrega de cada vendedor.',
    it: 'Scegli la consegna per ogni venditore.',
  },
  'terms-not-accepted': {
    en: 'Please accept the terms of sale.',
    fr: 'Acceptez les conditions de vente.',
    de: 'Bitte stimmen Sie den Geschäftsbedingungen zu.',
    es: 'Acepta las condiciones de venta.',
    it: 'Accetta le condizioni di vendita.',
  },
  'unknown-order': {
    en: 'We cannot find this order.',
    fr: 'Cette commande est introuvable.',
    de: 'Diese Bestellung finden wir nicht.',
    es: 'No encontramos este pedido.',
    it: 'Non troviamo questo ordine.',
  },
  'order-not-open': {
    en: 'This order can no longer be changed.',
    fr: 'Cette commande ne peut plus être modifiée.',
    de: 'Diese Bestellung lässt sich nicht mehr ändern.',
    es: 'Este pedido ya no se puede modificar.',
    it: 'Questo ordine non si può più modificare.',
  },
  'order-already-paid': {
    en: 'This order has been paid already.',
    fr: 'Cette commande est déjà payée.',
    de: 'Diese Bestellung ist schon bezahlt.',
    es: 'Este pedido ya está pagado.',
    it: 'Questo ordine è già stato pagato.',
  },
  'payment-in-progress': {
    en: 'The payment of this order is under way.',
    fr: 'Le paiement de cette commande est en cours.',
    de: 'Die Zahlung dieser Bestellung läuft gerade.',
    es: 'El pago de este pedido está en curso.',
    it: 'Il pagamento di questo ordine è in corso.',
  },
  'payment-unavailable': {
    en: 'Payment is not available at the moment. Nothing has been charged.',
    fr: 'Le paiement est momentanément indisponible. Rien n’a été débité.',
    de: 'Bezahlen ist gerade nicht möglich. Es wurde nichts abgebucht.',
    es: 'El pago no está disponible ahora. No se ha cobrado nada.',
    it: 'Il pagamento non è disponibile al momento. Nulla è stato addebitato.',
  },
  'idempotency-key-reused': {
    en: 'This form was sent before with other contents. Please reload the page.',
    fr: 'Ce formulaire a déjà été envoyé avec un autre contenu. Rechargez la page.',
    de: 'Dieses Formular wurde schon mit anderem Inhalt gesendet. Bitte laden Sie die Seite neu.',
    es: 'Este formulario ya se envió con otro contenido. Recarga la página.',
    it: 'Questo modulo è già stato inviato con altri dati. Ricarica la pagina.',
  },
  'idempotency-key-missing': {
    en: 'Please reload the page and try again.',
    fr: 'Rechargez la page et réessayez.',
    de: 'Bitte laden Sie die Seite neu und versuchen Sie es noch einmal.',
    es: 'Recarga la página e inténtalo de nuevo.',
    it: 'Ricarica la pagina e riprova.',
  },
  'input-invalid': {
    en: 'Please check what you typed.',
    fr: 'Vérifiez votre saisie.',
    de: 'Bitte prüfen Sie Ihre Eingabe.',
    es: 'Revisa lo que has escrito.',
    it: 'Controlla quello che hai scritto.',
  },
}

const fieldReasons: Record<string, Words> = {
  missing: {
    en: 'Please fill this in.',
    fr: 'Ce champ est nécessaire.',
    de: 'Bitte ausfüllen.',
    es: 'Rellena este campo.',
    it: 'Compila questo campo.',
  },
  'too-long': { en: 'This is too long.', fr: 'C’est trop long.', de: 'Das ist zu lang.', es: 'Es demasiado largo.', it: 'È troppo lungo.' },
  signs: {
    en: 'This contains signs that cannot be printed.',
    fr: 'Ce champ contient des signes non imprimables.',
    de: 'Hier stehen Zeichen, die sich nicht drucken lassen.',
    es: 'Contiene signos que no se pueden imprimir.',
    it: 'Contiene segni che non si possono stampare.',
  },
  'postcode-format': {
    en: 'This is not a postcode of this country.',
    fr: 'Ce n’est pas un code postal de ce pays.',
    de: 'Das ist keine Postleitzahl dieses Landes.',
    es: 'No es un código postal de este país.',
    it: 'Non è un CAP di questo Paese.',
  },
  'phone-format': {
    en: 'This is not a phone number we can call.',
    fr: 'Ce numéro de téléphone n’est pas valable.',
    de: 'Diese Telefonnummer stimmt nicht.',
    es: 'Este número de teléfono no es válido.',
    it: 'Questo numero di telefono non è valido.',
  },
  'country-unknown': {
    en: 'We do not send invoices to this country yet.',
    fr: 'Nous ne facturons pas encore dans ce pays.',
    de: 'In dieses Land stellen wir noch keine Rechnungen.',
    es: 'Todavía no facturamos en este país.',
    it: 'Non fatturiamo ancora in questo Paese.',
  },
  'vat-number-format': {
    en: 'This is not a VAT number. It starts with the country’s letters.',
    fr: 'Ce n’est pas un numéro de TVA. Il commence par les lettres du pays.',
    de: 'Das ist keine USt-IdNr. Sie beginnt mit den Buchstaben des Landes.',
    es: 'No es un NIF-IVA. Empieza por las letras del país.',
    it: 'Non è una partita IVA. Inizia con le lettere del Paese.',
  },
  'email-format': {
    en: 'This does not look like an e-mail address.',
    fr: 'Cela ne ressemble pas à une adresse e-mail.',
    de: 'Das sieht nicht nach einer E-Mail-Adresse aus.',
    es: 'No parece una dirección de correo.',
    it: 'Non sembra un indirizzo e-mail.',
  },
  'quantity-whole': {
    en: 'Please choose a whole number.',
    fr: 'Choisissez un nombre entier.',
    de: 'Bitte wählen Sie eine ganze Zahl.',
    es: 'Elige un número entero.',
    it: 'Scegli un numero intero.',
  },
}

export interface ToldRefusal {
  reason: RefusalReason
  message: string
  fields: { field: string; message: string }[]
}

/** A refusal in the market's language, with a sentence for each field that was wrong. */
export function tellRefusal(market: Market, { reason, fields = {}, details = {} }: Refused): ToldRefusal {
  const { language } = markets[market]
  const message = reasons[reason][language].replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? 0))
  return {
    reason,
    message,
    fields: Object.entries(fields).map(([field, key]) => ({
      field,
      message: (fieldReasons[key] ?? fieldReasons['missing'])?.[language] ?? key,
    })),
  }
}
