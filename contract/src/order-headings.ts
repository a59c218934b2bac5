/** Rows of a sheet, each with its cells. */
export type Rows = readonly (readonly string[])[]

/** Words of headings in five languages, without accents. */
export const headings = {
  ean: /^(?:ean|gtin|upc|barcode|barcodes|strichcode|codebarres)$/,
  /** Names of part numbers in one word. */
  partNumber:
    /^(?:sku|mpn|(?:artikel|art|bestell|best|teile|hersteller|material|sach|produkt|modell)(?:nummer|nr)|artikelcode|produktcode|partno|partnumber)$/,
  reference: /^(?:ref|refs|reference|referencia|riferimento|rif)$/,
  /** Numbers of anything; with one of the two below them, of a part. */
  number: /^(?:number|no|nr|num|numero|nummer|code|cod|codigo|codice)$/,
  numberOfPart: /^(?:n|id)$/,
  part: /^(?:part|parts|teil|teile|art|article|artikel|articulo|articolo|product|produkt|produit|producto|prodotto|material|model|modell|modele|modelo|modello|manufacturer|hersteller|fabricant|fabricante|produttore|mfr|mfg)$/,
  item: /^(?:item|article|artikel|articulo|articolo|product|produkt|produit|producto|prodotto)$/,
  /** Without a number beside it that of a part, where nothing better is. */
  model: /^(?:part|parts|teil|teile|material|model|modell|modele|modelo|modello)$/,
  /** Beside a number or a reference: it is not that of a product. */
  notOfProduct:
    /^(?:customer|client|clients|cliente|clienti|clientes|kunde|kunden|kundennummer|kundennr|kd|kdnr|debitor|debitoren|invoice|rechnung|rechnungs|facture|factura|fattura|auftrag|auftrags|po|delivery|lieferschein|livraison|albaran|ddt|cost|costs|kosten|kostenstelle|kostenstellen|cout|couts|coste|costes|costo|costi|project|projekt|projet|proyecto|progetto|site|baustelle|baustellen|chantier|obra|cantiere|tax|steuer|country|land|pays|pais|paese|colour|color|farbe|farb|couleur|colore)$/,
  /** Beside a number: that of an order, or a product's with which it is ordered, where there is no other number. */
  order: /^(?:orders?|bestellung|commande|commandes|pedido|ordine)$/,
  quantity:
    /^(?:quantity|qty|pieces|pcs|units|(?:gesamt|soll|auftrags|bedarfs|bestell)?mengen?|anzahl|anz|stuck|stk|stck|(?:gesamt)?stuckzahl|quantite|qte|nombre|cantidad|cant|unidades|uds|quantita|qta|pezzi|pz|count|bedarf|nb|nbre)$/,
  /** The quantity that is wanted, whatever others there are. */
  ordered: /^(?:ordered|bestellt|bestellte|bestellen|bestellmenge|commandees?|pedid[ao]s|ordinat[aoei])$/,
  /** Beside a quantity: that of something else than this order. */
  notOrdered:
    /^(?:delivered|shipped|received|invoiced|billed|returned|cancelled|canceled|backorder|backordered|previous|last|open|outstanding|remaining|reserved|sold|used|hand|(?:liefer|rest|ist|lager)menge|gelieferte?|versandte?|erhalten|erhaltene|berechnete?|fakturiert|retourniert|stornierte?|offene?|rest|restliche?|ruckstand|reservierte?|verkaufte?|verbraucht|vorhanden|vorhandene|letzte|livree?s?|expediee?s?|recue?s?|facturee?s?|retournee?s?|annulee?s?|restante?s?|reste|reliquat|vendue?s?|entregad[ao]s?|enviad[ao]s?|recibid[ao]s?|facturad[ao]s?|devuelt[ao]s?|pendientes?|vendid[ao]s?|consegnat[aoei]|spedit[aoei]|ricevut[aoei]|fatturat[aoei]|res[aoei]|residu[aoei]|rimanente|rimanenti|vendut[aoei]|evas[aoei]|inevas[aoei])$/,
  price:
    /^(?:.*(?:prices?|preise?)|prix|precios?|prezz[oi]|importe|importo|montant|betrag|brutto|tarif|tarifs|listino|value|wert|valeur|valor|valore|rrp|msrp|uvp|ep|gp|ek|vk|pu|pvp|ht|ttc|eur|gbp)$/,
  /** A price alone; beside a quantity a sum of quantities. */
  total: /^(?:total|totals|totale|totali|totales|totaux|summe|gesamt|net|nette|netto|netta)$/,
  /** A price beside another price, and otherwise perhaps the quantity. */
  amount: /^amount$/,
  /** Beside a quantity the quantity of the row. */
  position: /^(?:pos|position|posicion|posizione|line|zeile|ligne|linea|riga|row|fila|lfd|laufende)$/,
  /** Numbers that are no quantities. */
  measure:
    /^(?:weight|gewicht|poids|peso|kg|length|laenge|lange|longueur|longitud|lunghezza|width|breite|largeur|anchura|ancho|larghezza|height|hohe|hauteur|altura|alto|altezza|depth|tiefe|diameter|durchmesser|diametre|diametro|mm|cm|size|gro(?:e)?sse|taille|talla|tamano|taglia|misura|pointure|year|jahr|annee|vat|mwst|tva|iva|discount|rabatt|remise|descuento|sconto|stock|bestand|lager|lagerbestand|stocks|existencias|giacenza|available|verfugbar|verfugbare|disponible|disponibles|disponibile|disponibili|min|minimum|mindest|mindestmenge|mindestbestellmenge|minima|minimo|minimale|moq|date|datum|fecha|data)$/,
  /** How many are in a pack: the quantity only where no other column may be. */
  pack: /^(?:(?:pack|verpack|karton|carton|gebinde|palet|pallet|paquet|colis|conditionn|emball|embal|envas|confezion|imball|scatol|boite).*|box|boxes|case|cases|bundle|bundles|vpe|ve|caja|cajas|lot|lots|lote|lotes|conf|pacco|pacchi|collo|inhalt)$/,
  /** Beside a quantity: how many there are for each of something, mostly of a pack. */
  each: /^(?:per|je|pro|par|por|each|cada)$/,
  unit: /^(?:unit|uom|einheit|mengeneinheit|unite|unidad|unita|udm)$/,
  /** Between other words. */
  filler: /^(?:of|the|for|and|der|die|des|und|de|du|la|le|les|l|d|el|los|y|et|del|della|di|e)$/,
} as const

/** The words of a column's heading, and at the end all letters as one word: "Art.-Nr." is one word and "EAN 2026" another. Accents do not count. */
export type Heading = readonly string[]

export function wordsOf(cell: string): Heading {
  // Only "ß" does not fall apart into a letter and an accent.
  const plain = cell.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
  return [...plain.split(/[^a-z]+/), plain.replaceAll(/[^a-z]/g, '')].filter(Boolean)
}

export const isCalled = (words: Heading, ...kinds: readonly RegExp[]): boolean =>
  words.some((word) => kinds.some((kind) => kind.test(word)))

const kinds = Object.values(headings)
const areListed = (words: Heading): boolean =>
  words.every((word) => isCalled([word], ...kinds)) && words.some((word) => !headings.filler.test(word))

/** Whether a cell consists of words of headings alone; of digits it may have those of "EAN13". */
export function isHeadingAlone(cell: string): boolean {
  const words = wordsOf(cell)
  return (!/\d/.test(cell) || /^(?:ean|gtin|upc)\W?\d{1,2}$/i.test(cell)) && (areListed(words.slice(-1)) || areListed(words.slice(0, -1)))
}

/** Whether a cell says that the column has numbers, and nothing else. */
function isNumberAlone(cell: string): boolean {
  const { ean, partNumber, reference, number } = headings
  return isHeadingAlone(cell) && isCalled(wordsOf(cell), ean, partNumber, reference, number)
}

/** Rows in which a heading is looked for, and with which it is compared. */
const nearRows = 20
const hasSeveral = (cells: readonly string[]): boolean => cells.filter(Boolean).length > 1

/**
 * Whether the first row may be a heading. A heading has no number alone in a cell, no cell that differs from one below it by digits alone, and more than the
 * one cell of a title; other digits stand beside the words of a heading. In doubt it is a row of the order, which is reported if it is none.
 */
export function mayBeHeading([first = [], ...data]: Rows): boolean {
  if (data.length === 0 || first.some((cell) => /^\W*\d[\d.,]*$/.test(cell))) return false
  if (!hasSeveral(first) && data.some(hasSeveral)) return false
  const lettersOf = (cell: string) => wordsOf(cell).at(-1)
  const isLike = (cell: string, below: string) => /\d/.test(below) && lettersOf(below) === lettersOf(cell)
  const isRepeated = (cell: string, at: number) => data.slice(0, nearRows).some((cells) => isLike(cell, cells[at] ?? ''))
  if (!first.some((cell) => /\d/.test(cell))) return true
  if (first.some((cell, at) => /\d/.test(cell) && isRepeated(cell, at))) return false
  return first.some(isNumberAlone) || (first.some(isHeadingAlone) && !first.some((cell) => /^\W*\d/.test(cell)))
}

/**
 * The row that is a heading by its words: of the first rows the one with most cells that are headings alone, two at least, and rather one with quantities than
 * one above it with the numbers of a customer and an order. Null if there is none.
 */
export function listedHeadingAt(rows: Rows): number | null {
  const ranked = rows.slice(0, nearRows).map((cells, at) => {
    const alone = cells.filter(isHeadingAlone)
    if (alone.length < 2 || !mayBeHeading(rows.slice(at, at + nearRows))) return 0
    return alone.length + (alone.some((cell) => isCalled(wordsOf(cell), headings.quantity)) ? cells.length : 0)
  })
  const at = ranked.indexOf(Math.max(1, ...ranked))
  return at === -1 ? null : at
}

/** Where a table begins: with its heading, or else below titles of a single cell if a heading may follow them. What stands above is no part of it. */
export function tableAt(rows: Rows): number {
  const listed = listedHeadingAt(rows)
  if (listed !== null) return listed
  const first = rows.slice(0, nearRows).findIndex(hasSeveral)
  return first > 0 && mayBeHeading(rows.slice(first, first + nearRows)) ? first : 0
}
