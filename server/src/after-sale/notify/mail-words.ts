import type { Language } from '@purlin/contract/markets.ts'

const english = {
  colon: ': ',
  hello: 'Hello {name},',
  regards: 'Your Purlin team',
  confirmation: {
    subject: 'Your order {id}',
    preview: 'Thank you. The sellers are getting to work.',
    text: 'Thank you for your order. Your payment has arrived and the sellers have been told.',
  },
  'payment-failed': {
    subject: 'Payment for your order {id} did not go through',
    preview: 'Your goods are kept for a little longer.',
    text: 'Your bank declined the payment after it had first approved the card. Nothing was charged. Your goods are kept until {until}: you can pay with another card.',
  },
  cancelled: {
    subject: 'Your order {id} was cancelled',
    preview: 'Nothing was charged.',
    text: 'We held the goods for half an hour, and no payment arrived. The order has been cancelled and nothing was charged. Your basket is still there.',
  },
  order: 'Order {id}',
  placed: 'Ordered on {date}',
  soldBy: 'Sold and delivered by {seller}',
  goods: 'Goods',
  delivery: 'Delivery',
  discount: 'Discount',
  withoutVat: 'Total without VAT',
  vat: 'VAT {rate}',
  total: 'Total with VAT',
  to: 'Delivery to',
  billing: 'Invoice to',
  open: 'See your order',
  pay: 'Pay now',
  shop: 'Back to the basket',
  why: 'You get this mail because you ordered at Purlin. It holds what was agreed: please keep it.',
}
export type MailWords = typeof english

const french: MailWords = {
  colon: '\u00a0: ',
  hello: 'Bonjour {name},',
  regards: 'L’équipe Purlin',
  confirmation: {
    subject: 'Votre commande {id}',
    preview: 'Merci. Les vendeurs se mettent au travail.',
    text: 'Merci pour votre commande. Votre paiement nous est parvenu et les vendeurs sont prévenus.',
  },
  'payment-failed': {
    subject: 'Le paiement de votre commande {id} n’a pas abouti',
    preview: 'Vos articles restent réservés encore un moment.',
    text: 'Votre banque a refusé le paiement après avoir d’abord accepté la carte. Rien n’a été débité. Vos articles restent réservés jusqu’à {until} : vous pouvez payer avec une autre carte.',
  },
  cancelled: {
    subject: 'Votre commande {id} a été annulée',
    preview: 'Rien n’a été débité.',
    text: 'Nous avons réservé les articles pendant une demi-heure, sans recevoir de paiement. La commande est annulée et rien n’a été débité. Votre panier vous attend.',
  },
  order: 'Commande {id}',
  placed: 'Commandée le {date}',
  soldBy: 'Vendu et expédié par {seller}',
  goods: 'Articles',
  delivery: 'Livraison',
  discount: 'Remise',
  withoutVat: 'Total HT',
  vat: 'TVA {rate}',
  total: 'Total TTC',
  to: 'Livraison à',
  billing: 'Facturation à',
  open: 'Voir votre commande',
  pay: 'Payer maintenant',
  shop: 'Revenir au panier',
  why: 'Vous recevez ce message car vous avez commandé chez Purlin. Il récapitule votre contrat : conservez-le.',
}

const german: MailWords = {
  colon: ': ',
  hello: 'Guten Tag {name},',
  regards: 'Ihr Purlin-Team',
  confirmation: {
    subject: 'Ihre Bestellung {id}',
    preview: 'Danke. Die Verkäufer machen sich an die Arbeit.',
    text: 'vielen Dank für Ihre Bestellung. Ihre Zahlung ist da, die Verkäufer wissen Bescheid.',
  },
  'payment-failed': {
    subject: 'Die Zahlung Ihrer Bestellung {id} hat nicht geklappt',
    preview: 'Ihre Ware bleibt noch etwas reserviert.',
    text: 'Ihre Bank hat die Karte erst angenommen und die Zahlung dann abgelehnt. Es wurde nichts abgebucht. Ihre Ware bleibt bis {until} reserviert: Sie können mit einer anderen Karte zahlen.',
  },
  cancelled: {
    subject: 'Ihre Bestellung {id} wurde storniert',
    preview: 'Es wurde nichts abgebucht.',
    text: 'wir haben die Ware eine halbe Stunde reserviert, und es kam keine Zahlung an. Die Bestellung ist storniert, es wurde nichts abgebucht. Ihr Warenkorb ist noch da.',
  },
  order: 'Bestellung {id}',
  placed: 'Bestellt am {date}',
  soldBy: 'Verkauf und Versand durch {seller}',
  goods: 'Waren',
  delivery: 'Lieferung',
  discount: 'Rabatt',
  withoutVat: 'Summe ohne MwSt.',
  vat: 'MwSt. {rate}',
  total: 'Summe mit MwSt.',
  to: 'Lieferung an',
  billing: 'Rechnung an',
  open: 'Bestellung ansehen',
  pay: 'Jetzt bezahlen',
  shop: 'Zum Warenkorb',
  why: 'Sie erhalten diese Mail, weil Sie bei Purlin bestellt haben. Sie hält fest, was vereinbart ist: Bitte heben Sie sie auf.',
}

const spanish: MailWords = {
  colon: ': ',
  hello: 'Hola, {name}:',
  regards: 'El equipo de Purlin',
  confirmation: {
    subject: 'Su pedido {id}',
    preview: 'Gracias. Los vendedores se ponen manos a la obra.',
    text: 'Gracias por su pedido. Hemos recibido el pago y los vendedores ya están avisados.',
  },
  'payment-failed': {
    subject: 'El pago de su pedido {id} no se ha realizado',
    preview: 'Guardamos sus artículos un poco más.',
    text: 'Su banco aceptó la tarjeta, pero después rechazó el pago. No se ha cobrado nada. Guardamos sus artículos hasta las {until}: puede pagar con otra tarjeta.',
  },
  cancelled: {
    subject: 'Su pedido {id} se ha cancelado',
    preview: 'No se ha cobrado nada.',
    text: 'Hemos reservado los artículos media hora y no ha llegado ningún pago. El pedido se ha cancelado y no se ha cobrado nada. Su cesta sigue ahí.',
  },
  order: 'Pedido {id}',
  placed: 'Pedido el {date}',
  soldBy: 'Vendido y enviado por {seller}',
  goods: 'Artículos',
  delivery: 'Entrega',
  discount: 'Descuento',
  withoutVat: 'Total sin IVA',
  vat: 'IVA {rate}',
  total: 'Total con IVA',
  to: 'Entrega a',
  billing: 'Factura a',
  open: 'Ver su pedido',
  pay: 'Pagar ahora',
  shop: 'Volver a la cesta',
  why: 'Recibe este correo porque ha hecho un pedido en Purlin. Recoge lo acordado: consérvelo.',
}

const italian: MailWords = {
  colon: ': ',
  hello: 'Ciao {name},',
  regards: 'Il team Purlin',
  confirmation: {
    subject: 'Il tuo ordine {id}',
    preview: 'Grazie. I venditori si mettono al lavoro.',
    text: 'Grazie per l’ordine. Il pagamento è arrivato e i venditori sono stati avvisati.',
  },
  'payment-failed': {
    subject: 'Il pagamento del tuo ordine {id} non è riuscito',
    preview: 'Teniamo da parte gli articoli ancora un po’.',
    text: 'La banca ha prima accettato la carta e poi rifiutato il pagamento. Nulla è stato addebitato. Teniamo da parte gli articoli fino alle {until}: puoi pagare con un’altra carta.',
  },
  cancelled: {
    subject: 'Il tuo ordine {id} è stato annullato',
    preview: 'Nulla è stato addebitato.',
    text: 'Abbiamo tenuto da parte gli articoli per mezz’ora, ma non è arrivato alcun pagamento. L’ordine è stato annullato e nulla è stato addebitato. Il carrello è ancora lì.',
  },
  order: 'Ordine {id}',
  placed: 'Ordinato il {date}',
  soldBy: 'Venduto e spedito da {seller}',
  goods: 'Articoli',
  delivery: 'Consegna',
  discount: 'Sconto',
  withoutVat: 'Totale senza IVA',
  vat: 'IVA {rate}',
  total: 'Totale con IVA',
  to: 'Consegna a',
  billing: 'Fattura a',
  open: 'Vedi il tuo ordine',
  pay: 'Paga ora',
  shop: 'Torna al carrello',
  why: 'Ricevi questa e-mail perché hai ordinato su Purlin. Riporta quanto concordato: conservala.',
}

export const mailWords: Record<Language, MailWords> = { en: english, fr: french, de: german, es: spanish, it: italian }

/** "{name}" and its like replaced. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
