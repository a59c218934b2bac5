import { markets, type Language, type Market } from '@purlin/contract/markets.ts'

type Words = Record<Language, string>

const facetNames = {
  category: { en: 'Category', fr: 'Catégorie', de: 'Kategorie', es: 'Categoría', it: 'Categoria' },
  price: { en: 'Price', fr: 'Prix', de: 'Preis', es: 'Precio', it: 'Prezzo' },
  brand: { en: 'Brand', fr: 'Marque', de: 'Marke', es: 'Marca', it: 'Marca' },
  condition: { en: 'Condition', fr: 'État', de: 'Zustand', es: 'Estado', it: 'Condizioni' },
  delivery: { en: 'Delivery', fr: 'Livraison', de: 'Lieferung', es: 'Entrega', it: 'Consegna' },
  seller: { en: 'Seller', fr: 'Vendeur', de: 'Händler', es: 'Vendedor', it: 'Venditore' },
  rating: { en: 'Rating', fr: 'Note', de: 'Bewertung', es: 'Valoración', it: 'Valutazione' },
  eco: {
    en: 'Contains recycled material',
    fr: 'Contient des matières recyclées',
    de: 'Enthält Recyclingmaterial',
    es: 'Contiene material reciclado',
    it: 'Contiene materiale riciclato',
  },
  local: { en: 'Made in France', fr: 'Fabriqué en France', de: 'Made in France', es: 'Fabricado en Francia', it: 'Prodotto in Francia' },
  stock: { en: 'In stock', fr: 'En stock', de: 'Auf Lager', es: 'En stock', it: 'Disponibile' },
} satisfies Record<string, Words>

const valueNames = {
  'condition:new': { en: 'New', fr: 'Neuf', de: 'Neu', es: 'Nuevo', it: 'Nuovo' },
  'condition:refurbished': { en: 'Refurbished', fr: 'Reconditionné', de: 'Generalüberholt', es: 'Reacondicionado', it: 'Ricondizionato' },
  'condition:used': {
    en: 'Used or opened',
    fr: 'Occasion ou déballé',
    de: 'Gebraucht oder geöffnet',
    es: 'Usado o abierto',
    it: 'Usato o aperto',
  },
  'delivery:free': {
    en: 'Free delivery',
    fr: 'Livraison gratuite',
    de: 'Kostenlose Lieferung',
    es: 'Entrega gratuita',
    it: 'Consegna gratuita',
  },
  'delivery:1day': {
    en: 'Next working day',
    fr: 'Livré le jour ouvré suivant',
    de: 'Am nächsten Werktag',
    es: 'Al siguiente día laborable',
    it: 'Il giorno lavorativo successivo',
  },
  'delivery:relay': { en: 'Pick-up point', fr: 'Point relais', de: 'Abholstation', es: 'Punto de recogida', it: 'Punto di ritiro' },
} satisfies Record<string, Words>

const stars: Record<Language, (n: string) => string> = {
  en: (n) => `${n} stars and up`,
  fr: (n) => `${n} étoiles et plus`,
  de: (n) => `Ab ${n} Sternen`,
  es: (n) => `${n} estrellas o más`,
  it: (n) => `Da ${n} stelle`,
}

export const sortKeys = ['relevance', 'price_asc', 'price_desc', 'rating', 'newest', 'discount'] as const
export type SortKey = (typeof sortKeys)[number]

const sortNames: Record<SortKey, Words> = {
  relevance: { en: 'Most relevant', fr: 'Pertinence', de: 'Relevanz', es: 'Relevancia', it: 'Rilevanza' },
  price_asc: { en: 'Lowest price', fr: 'Prix croissant', de: 'Niedrigster Preis', es: 'Precio más bajo', it: 'Prezzo più basso' },
  price_desc: { en: 'Highest price', fr: 'Prix décroissant', de: 'Höchster Preis', es: 'Precio más alto', it: 'Prezzo più alto' },
  rating: { en: 'Best rated', fr: 'Mieux notés', de: 'Beste Bewertung', es: 'Mejor valorados', it: 'Più votati' },
  newest: { en: 'Newest', fr: 'Nouveautés', de: 'Neueste', es: 'Novedades', it: 'Novità' },
  discount: { en: 'Biggest discount', fr: 'Plus forte remise', de: 'Größter Rabatt', es: 'Mayor descuento', it: 'Sconto maggiore' },
}

export type FacetWord = keyof typeof facetNames

export function facetLabel(market: Market, key: FacetWord): string {
  return facetNames[key][markets[market].language]
}

export function facetValueLabel(market: Market, key: string, value: string): string {
  const { language } = markets[market]
  if (key === 'rating') return stars[language](value)
  return (valueNames as Record<string, Words>)[`${key}:${value}`]?.[language] ?? value
}

export function sortLabel(market: Market, key: SortKey): string {
  return sortNames[key][markets[market].language]
}
