import type { Language } from '@purlin/contract/markets.ts'

/** What the sellers of the demo shop answer, by the topic of the conversation. */
const answers: Record<Language, Record<string, string>> = {
  en: {
    delivery: 'Thank you for your message. Your order is with our warehouse team; the parcel should reach you within two working days.',
    product: 'Thank you for asking. Yes, that fits; the dimensions are in the data sheet on the product page.',
    damage:
      'We are sorry about that. We are checking with the warehouse and will make it good, either with a replacement or your money back.',
    return: 'Of course. Please pack the item well; we refund you as soon as it is back with us.',
    invoice: 'The invoice is issued when the goods leave our warehouse. You find it in your order.',
    other: 'Thank you for your message. We are looking into it and will come back to you today.',
  },
  fr: {
    delivery:
      'Merci pour votre message. Votre commande est entre les mains de notre entrepôt ; le colis devrait arriver sous deux jours ouvrés.',
    product: 'Merci pour votre question. Oui, cela convient ; les dimensions figurent dans la fiche technique sur la page du produit.',
    damage: 'Nous en sommes désolés. Nous vérifions avec l’entrepôt et trouverons une solution : remplacement ou remboursement.',
    return: 'Bien sûr. Emballez soigneusement l’article ; nous vous remboursons dès sa réception.',
    invoice: 'La facture est émise au départ de l’entrepôt. Vous la trouverez dans votre commande.',
    other: 'Merci pour votre message. Nous vérifions et revenons vers vous dans la journée.',
  },
  de: {
    delivery: 'Vielen Dank für Ihre Nachricht. Ihre Bestellung ist bei uns im Lager; das Paket sollte in zwei Werktagen bei Ihnen sein.',
    product: 'Danke für Ihre Frage. Ja, das passt; die Maße finden Sie im Datenblatt auf der Produktseite.',
    damage: 'Das tut uns leid. Wir klären das mit dem Lager und bringen es in Ordnung, mit Ersatz oder Erstattung.',
    return: 'Selbstverständlich. Bitte verpacken Sie den Artikel gut; wir erstatten, sobald er bei uns ist.',
    invoice: 'Die Rechnung wird ausgestellt, wenn die Ware unser Lager verlässt. Sie finden sie in Ihrer Bestellung.',
    other: 'Vielen Dank für Ihre Nachricht. Wir prüfen das und melden uns noch heute.',
  },
  es: {
    delivery: 'Gracias por tu mensaje. Tu pedido está en nuestro almacén; el paquete debería llegar en dos días laborables.',
    product: 'Gracias por preguntar. Sí, encaja; las medidas están en la ficha técnica de la página del producto.',
    damage: 'Lo sentimos. Lo comprobamos con el almacén y lo resolveremos con un cambio o un reembolso.',
    return: 'Por supuesto. Embala bien el artículo; te devolvemos el dinero en cuanto lo recibamos.',
    invoice: 'La factura se emite cuando los productos salen del almacén. La encontrarás en tu pedido.',
    other: 'Gracias por tu mensaje. Lo estamos mirando y te responderemos hoy mismo.',
  },
  it: {
    delivery: 'Grazie per il messaggio. Il tuo ordine è nel nostro magazzino; il pacco dovrebbe arrivare entro due giorni lavorativi.',
    product: 'Grazie per la domanda. Sì, va bene; le misure sono nella scheda tecnica sulla pagina del prodotto.',
    damage: 'Ci dispiace. Verifichiamo con il magazzino e rimediamo con una sostituzione o un rimborso.',
    return: 'Certamente. Imballa bene l’articolo; ti rimborsiamo appena lo riceviamo.',
    invoice: 'La fattura viene emessa quando i prodotti lasciano il magazzino. La trovi nel tuo ordine.',
    other: 'Grazie per il messaggio. Stiamo verificando e ti rispondiamo in giornata.',
  },
}

export function sellerAnswer(language: Language, topic: string): string {
  return answers[language][topic] ?? answers[language].other ?? ''
}

/** A conversation of the past: its topic and first message, and what was written after the seller's answer. */
export interface PastTalk {
  topic: 'delivery' | 'product' | 'damage' | 'return' | 'invoice' | 'other'
  question: string
  more: readonly { side: 'buyer' | 'seller'; text: string }[]
}

/** Conversations of each of the demo's people, latest order first. */
export const pastTalks: Partial<Record<Language, readonly PastTalk[]>> = {
  en: [
    { topic: 'delivery', question: 'Hello, is my order going to arrive before the weekend? I have somebody coming to fit it.', more: [] },
    {
      topic: 'damage',
      question: 'The box was dented and one corner of the item is scratched. What shall we do?',
      more: [
        { side: 'buyer', text: 'A replacement would be best, please.' },
        { side: 'seller', text: 'We have put a replacement aside for you and will send it out tomorrow.' },
      ],
    },
    { topic: 'invoice', question: 'Could you tell me where I find the invoice?', more: [{ side: 'buyer', text: 'Found it, thank you.' }] },
  ],
  de: [
    { topic: 'delivery', question: 'Guten Tag, kommt meine Bestellung noch vor dem Wochenende an?', more: [] },
    {
      topic: 'product',
      question: 'Passt das Zubehör auch zur älteren Ausführung?',
      more: [{ side: 'buyer', text: 'Sehr gut, vielen Dank für die schnelle Antwort.' }],
    },
  ],
  fr: [
    { topic: 'delivery', question: 'Bonjour, la livraison est-elle possible sur notre chantier avant midi ?', more: [] },
    {
      topic: 'invoice',
      question: 'Où puis-je télécharger la facture de cette commande ?',
      more: [{ side: 'buyer', text: 'Trouvée, merci beaucoup.' }],
    },
  ],
}
