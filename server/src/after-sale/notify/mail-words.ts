import type { Language } from '@purlin/contract/markets.ts'

const english = {
  colon: ': ',
  hello: 'Hello {name},',
  regards: 'Your Purlin team',
  confirmation: {
    subject: 'Your order {id}',
    preview: 'Thank you. Your payment has arrived.',
    text: 'Thank you for your order. Your payment has arrived. We now pass your order on to the sellers.',
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
  why: 'You get this e-mail because you ordered at Purlin. It holds what was agreed: please keep it.',
}
export type MailWords = typeof english

const french: MailWords = {
  colon: '\u00a0: ',
  hello: 'Bonjour {name},',
  regards: 'L’équipe Purlin',
  confirmation: {
    subject: 'Votre commande {id}',
    preview: 'Merci. Votre paiement nous est parvenu.',
    text: 'Merci pour votre commande. Votre paiement nous est parvenu. Nous transmettons maintenant votre commande aux vendeurs.',
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
    preview: 'Danke. Ihre Zahlung ist eingegangen.',
    text: 'vielen Dank für Ihre Bestellung. Ihre Zahlung ist eingegangen. Wir geben Ihre Bestellung jetzt an die Händler weiter.',
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
  why: 'Sie erhalten diese E-Mail, weil Sie bei Purlin bestellt haben. Sie hält fest, was vereinbart ist: Bitte heben Sie sie auf.',
}

const spanish: MailWords = {
  colon: ': ',
  hello: 'Hola, {name}:',
  regards: 'El equipo de Purlin',
  confirmation: {
    subject: 'Tu pedido {id}',
    preview: 'Gracias. Hemos recibido el pago.',
    text: 'Gracias por tu pedido. Hemos recibido el pago. Ahora pasamos tu pedido a los vendedores.',
  },
  'payment-failed': {
    subject: 'El pago de tu pedido {id} no se ha realizado',
    preview: 'Te reservamos los artículos un poco más.',
    text: 'Tu banco aceptó la tarjeta, pero después rechazó el pago. No se ha cobrado nada. Te reservamos los artículos hasta las {until}: puedes pagar con otra tarjeta.',
  },
  cancelled: {
    subject: 'Tu pedido {id} se ha cancelado',
    preview: 'No se ha cobrado nada.',
    text: 'Hemos reservado los artículos media hora y no ha llegado ningún pago. El pedido se ha cancelado y no se ha cobrado nada. Tu cesta sigue ahí.',
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
  open: 'Ver tu pedido',
  pay: 'Pagar ahora',
  shop: 'Volver a la cesta',
  why: 'Recibes este correo porque has hecho un pedido en Purlin. Recoge lo acordado: consérvalo.',
}

const italian: MailWords = {
  colon: ': ',
  hello: 'Ciao {name},',
  regards: 'Il team Purlin',
  confirmation: {
    subject: 'Il tuo ordine {id}',
    preview: 'Grazie. Il pagamento è arrivato.',
    text: 'Grazie per l’ordine. Il pagamento è arrivato. Ora trasmettiamo l’ordine ai venditori.',
  },
  'payment-failed': {
    subject: 'Il pagamento del tuo ordine {id} non è riuscito',
    preview: 'Gli articoli restano riservati ancora per un po’.',
    text: 'La banca ha prima accettato la carta e poi rifiutato il pagamento. Nulla è stato addebitato. Gli articoli restano riservati fino alle {until}: puoi pagare con un’altra carta.',
  },
  cancelled: {
    subject: 'Il tuo ordine {id} è stato annullato',
    preview: 'Nulla è stato addebitato.',
    text: 'Abbiamo riservato gli articoli per mezz’ora, ma non è arrivato alcun pagamento. L’ordine è stato annullato e nulla è stato addebitato. Il carrello è ancora lì.',
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
