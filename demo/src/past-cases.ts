import type { Language } from '@purlin/contract/markets.ts'

/** Texts of the demo's past disputes and returns, by their buyers and sellers. */
export interface PastCaseWords {
  withdrawal: string
  missingPart: string
  /** The message that did not solve it, the dispute, the seller's offer, and the conclusion. */
  dispute: { message: string; note: string; offer: string }
}

const english: PastCaseWords = {
  withdrawal: 'It is a little too large for the place I had in mind. Unused and in its box.',
  missingPart: 'The bag with the screws and brackets was not in the box.',
  dispute: {
    message: 'The surface is scratched on one side. You said you would call me about it, and that was a week ago.',
    note: 'Scratched on arrival. I can use it, but not at the full price, and the seller has stopped answering.',
    offer: 'We are sorry for the scratch and for the silence. We refund a fifth of the price, and you keep the goods.',
  },
}
const french: PastCaseWords = {
  withdrawal: 'Un peu trop grand pour l’endroit prévu. Neuf, dans son emballage.',
  missingPart: 'Le sachet de vis et d’équerres manquait dans le carton.',
  dispute: {
    message: 'La surface est rayée d’un côté. Vous deviez me rappeler, et cela fait une semaine.',
    note: 'Rayé à l’arrivée. Je peux m’en servir, mais pas au prix fort, et le vendeur ne répond plus.',
    offer: 'Toutes nos excuses pour la rayure et pour le silence. Nous remboursons un cinquième du prix, et vous gardez l’article.',
  },
}
const german: PastCaseWords = {
  withdrawal: 'Etwas zu groß für den Platz, den ich vorgesehen hatte. Unbenutzt und originalverpackt.',
  missingPart: 'Der Beutel mit Schrauben und Winkeln fehlte im Karton.',
  dispute: {
    message: 'Die Oberfläche ist auf einer Seite zerkratzt. Sie wollten sich melden, das ist jetzt eine Woche her.',
    note: 'Kam zerkratzt an. Ich kann es verwenden, aber nicht zum vollen Preis, und der Händler antwortet nicht mehr.',
    offer: 'Den Kratzer und das Schweigen bitten wir zu entschuldigen. Wir erstatten ein Fünftel des Preises, und Sie behalten die Ware.',
  },
}
const spanish: PastCaseWords = {
  withdrawal: 'Es un poco grande para el sitio que tenía pensado. Sin usar y en su caja.',
  missingPart: 'La bolsa con los tornillos y las escuadras no venía en la caja.',
  dispute: {
    message: 'La superficie está rayada por un lado. Dijisteis que me llamaríais y ya ha pasado una semana.',
    note: 'Llegó rayado. Puedo usarlo, pero no al precio completo, y el vendedor ya no contesta.',
    offer: 'Sentimos la raya y el silencio. Devolvemos una quinta parte del precio y te quedas con el artículo.',
  },
}
const italian: PastCaseWords = {
  withdrawal: 'Un po’ troppo grande per il posto che avevo in mente. Mai usato, nella sua scatola.',
  missingPart: 'Il sacchetto con viti e staffe non era nella scatola.',
  dispute: {
    message: 'La superficie è graffiata su un lato. Dovevate richiamarmi, ed è passata una settimana.',
    note: 'Arrivato graffiato. Posso usarlo, ma non a prezzo pieno, e il venditore non risponde più.',
    offer: 'Ci scusiamo per il graffio e per il silenzio. Rimborsiamo un quinto del prezzo e l’articolo resta a voi.',
  },
}

export const pastCaseWords: Record<Language, PastCaseWords> = { en: english, fr: french, de: german, es: spanish, it: italian }
