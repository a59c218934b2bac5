/** Which columns of a sheet hold the numbers and the quantities. */
export interface Columns {
  /** In the order in which a row's number is looked for; null where its first filled cell is the number. */
  codes: readonly number[] | null
  /** Null where the sheet has no quantities. */
  quantity: number | null
  /** Whether the first row is a heading. */
  hasHeading: boolean
  /** Whether its words named the columns; otherwise a row that is shifted or shorter may differ from them. */
  isNamed: boolean
}

/** Columns that may be chosen as that of the quantities, by their letters. */
export const quantityColumns = 'ABCDEFGHIJKLMNOPQRST'

/** Words of headings in five languages, without accents. */
const headings = {
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
  /** Beside a number or a reference: it is not that of a product. */
  notOfProduct:
    /^(?:customer|client|clients|cliente|clienti|clientes|kunde|kunden|kundennummer|kundennr|kd|kdnr|debitor|debitoren|invoice|rechnung|rechnungs|facture|factura|fattura|order|auftrag|auftrags|commande|commandes|pedido|ordine|po|delivery|lieferschein|livraison|albaran|ddt|cost|costs|kosten|kostenstelle|kostenstellen|cout|couts|coste|costes|costo|costi|project|projekt|projet|proyecto|progetto|site|baustelle|baustellen|chantier|obra|cantiere|tax|steuer|country|land|pays|pais|paese|colour|color|farbe|farb|couleur|colore)$/,
  quantity:
    /^(?:quantity|qty|pieces|pcs|units|menge|anzahl|stuck|stk|stuckzahl|bestellmenge|quantite|qte|nombre|cantidad|cant|unidades|uds|quantita|qta|pezzi|pz|count|bedarf|nb|nbre)$/,
  price:
    /^(?:price|preis|einzelpreis|gesamtpreis|prix|precio|prezzo|total|summe|gesamt|totale|importe|importo|montant|rrp|uvp|pvp|ht|ttc|eur|gbp|net|netto)$/,
  /** A price beside another price, and otherwise perhaps the quantity. */
  amount: /^amount$/,
  position: /^(?:pos|position|posicion|posizione|line|zeile|ligne|linea|riga|row|fila|lfd|laufende)$/,
  /** Numbers that are no quantities. */
  measure:
    /^(?:weight|gewicht|poids|peso|kg|length|laenge|lange|longueur|longitud|lunghezza|width|breite|largeur|anchura|ancho|larghezza|height|hohe|hauteur|altura|alto|altezza|depth|tiefe|diameter|durchmesser|diametre|diametro|mm|cm|size|grosse|taille|year|jahr|annee|vat|mwst|tva|iva|discount|rabatt|remise|descuento|sconto|stock|bestand|lager|lagerbestand|stocks|existencias|giacenza|available|verfugbar|verfugbare|disponible|disponibles|disponibile|disponibili|min|minimum|mindest|mindestmenge|mindestbestellmenge|minima|minimo|minimale|moq|date|datum|fecha|data)$/,
  /** How many are in a pack: the quantity only where no other column may be. */
  pack: /^(?:(?:pack|verpack|karton|carton|gebinde|palet|pallet|paquet|colis|conditionn|emball|embal|envas|confezion|imball|scatol|boite).*|box|boxes|case|cases|bundle|bundles|vpe|ve|caja|cajas|lot|lots|lote|lotes|conf|pacco|pacchi|collo|inhalt)$/,
  /** Beside a quantity: how many there are for each of something, mostly of a pack. */
  each: /^(?:per|je|pro|par|por|each|cada)$/,
}

/**
 * The columns by the words of the first row; without such words the quantities are the first column of numbers after the codes. A column that only counts
 * the rows is neither.
 * @param chosen the column that holds the quantities, if somebody has chosen it
 */
export function columnsOf(rows: readonly (readonly string[])[], chosen: number | null = null): Columns {
  const found = (rows.length > 1 ? namedColumns(rows, chosen) : null) ?? unnamedColumns(rows, chosen)
  return chosen === null ? found : { ...found, quantity: chosen, isNamed: true }
}

function unnamedColumns(rows: readonly (readonly string[])[], chosen: number | null): Columns {
  const [first = []] = rows
  // Words that nobody has listed are a heading all the same, where the rows below have digits.
  const hasHeading = first.filter(Boolean).length > 1 && rows.length > 1 && !first.some((cell) => /\d/.test(cell))
  const data = hasHeading ? rows.slice(1) : rows
  const isCounted = data.length > 1 && countsRows(data, 0) && data.filter((cells) => cells[1]).length * 2 >= data.length
  const codes = isCounted ? [chosen === 1 ? 2 : 1] : null
  return { codes, quantity: quantityColumn(data, isCounted ? 2 : 1), hasHeading, isNamed: false }
}

/** The words of a column's heading. */
type Heading = readonly string[]
const isCalled = (words: Heading, ...kinds: readonly RegExp[]): boolean => words.some((word) => kinds.some((kind) => kind.test(word)))

/** A column that is no price and no position. */
interface Column {
  at: number
  words: Heading
  /** Whether it only counts the rows. */
  isCount: boolean
}

function namedColumns([heading = [], ...data]: readonly (readonly string[])[], chosen: number | null): Columns | null {
  const cells = heading.map(wordsOf)
  const hasPrice = cells.some((words) => isCalled(words, headings.price))
  const isOther = (words: Heading) => isCalled(words, headings.price, headings.position) || (hasPrice && isCalled(words, headings.amount))
  const columns = cells.flatMap((words, at) => (isOther(words) ? [] : [{ at, words, isCount: countsRows(data, at) }]))
  // The EANs of pieces and of packs are not how many there are.
  const called = columns.filter(({ words }) => isCalled(words, headings.quantity) && !isCalled(words, headings.ean))
  const others = columns.filter((column) => column.at !== chosen && !called.includes(column))
  const numbers = codesOf(others)
  if (numbers.length === 0 && called.length === 0) return null
  const { ean, partNumber, reference, number, item, measure, pack } = headings
  const free = others.filter(({ words }) => !isCalled(words, ean, partNumber, reference, number, item, measure, pack))
  const codes = numbers.length > 0 ? numbers : free.filter(({ isCount }) => !isCount).map(({ at }) => at)
  const quantity = quantityOf(called, unlistedQuantities(data, free, codes[0] ?? 0), data)
  return { codes: codes.filter((at) => at !== quantity), quantity, hasHeading: true, isNamed: true }
}

/** The columns of numbers, best first. A column for numbers of anything is none of them beside one for those of products. */
function codesOf(columns: readonly Column[]): number[] {
  const ranked = columns.map((column) => ({ ...column, rank: rankOf(column.words) }))
  const ofProducts = ranked.filter(({ rank }) => rank < ranks.anyNumber)
  // Products may be numbered from one on, where no other column has their numbers.
  const mayCount = ofProducts.every(({ isCount }) => isCount)
  return ranked
    .filter(({ rank, isCount }) => (rank < ranks.anyNumber ? mayCount || !isCount : rank <= ranks.item && !isCount))
    .filter(({ rank }) => rank !== ranks.anyNumber || ofProducts.length === 0)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ at }) => at)
}

/** Kinds of columns by their headings, in the order in which a row's part number is looked for. */
const ranks = { ean: 0, partNumber: 1, itemNumber: 2, anyNumber: 3, item: 4, none: 5 } as const

function rankOf(words: Heading): number {
  if (isCalled(words, headings.ean)) return ranks.ean
  const isNumber = isCalled(words, headings.number, headings.reference)
  const isItem = isCalled(words, headings.item)
  const isOfPart = isCalled(words, headings.part) && (isNumber || isCalled(words, headings.numberOfPart))
  const isPartNumber = isOfPart || isCalled(words, headings.partNumber)
  if (!isNumber && !isPartNumber) return isItem ? ranks.item : ranks.none
  if (isCalled(words, headings.notOfProduct)) return ranks.none
  if (isPartNumber) return ranks.partNumber
  return isItem || isCalled(words, headings.reference) ? ranks.itemNumber : ranks.anyNumber
}

/** Of the columns that are called a quantity the first with numbers. The size of a pack is one only where no other column may be. */
function quantityOf(called: readonly Column[], unlisted: number | null, data: readonly (readonly string[])[]): number | null {
  const { measure, pack, each } = headings
  const wanted = called.filter(({ words }) => !isCalled(words, measure, pack, each))
  const found = wanted.find(({ at }) => data.some((cells) => /^\d/.test(cells[at] ?? ''))) ?? wanted[0]
  if (found) return found.at
  const ofPack = called.find(({ words }) => !isCalled(words, measure))
  if (!ofPack) return unlisted
  return unlisted === null ? ofPack.at : null
}

/** Under a heading that nobody has listed: the first free column after the codes, or else before them, of whole numbers that do not just count the rows. */
function unlistedQuantities(data: readonly (readonly string[])[], free: readonly Column[], code: number): number | null {
  const holdsQuantities = ({ at, isCount }: Column) => {
    const filled = data.map((cells) => cells[at] ?? '').filter(Boolean)
    const whole = filled.filter((cell) => /^\d{1,6}$/.test(cell)).length
    return whole > 0 && whole * 2 >= filled.length && !(isCount && at < code)
  }
  const inOrder = [...free.filter(({ at }) => at > code), ...free.filter(({ at }) => at < code)]
  return inOrder.find(holdsQuantities)?.at ?? null
}

/** Whether a column only counts the rows: 1, 2, 3 or, as the items of an order, 10, 20, 30. Rows between them may have no number. */
function countsRows(data: readonly (readonly string[])[], column: number): boolean {
  let filled = 0
  let step = 1
  for (const cells of data) {
    const cell = cells[column] ?? ''
    if (cell === '') continue
    const value = /^\d+\.?$/.test(cell) ? Number.parseInt(cell, 10) : null
    if (++filled === 1 && value === 10) step = 10
    if (value !== filled * step) return false
  }
  return filled * 2 > data.length && (filled > 1 || step === 1)
}

/** "Art.-Nr." is one word and "EAN 2026" another, whatever stands beside them: letters alone count, and accents do not. */
function wordsOf(cell: string): string[] {
  const plain = cell.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return [...plain.split(/[^a-z]+/), plain.replaceAll(/[^a-z]/g, '')].filter(Boolean)
}

/** The first column from here on that holds a number in half of the rows that have one at all. */
function quantityColumn(rows: readonly (readonly string[])[], from: number): number | null {
  const counts: (number | undefined)[] = []
  let withNumber = 0
  for (const cells of rows) {
    let hasOne = false
    for (let at = Math.max(from, cells.findIndex(Boolean) + 1); at < cells.length; at++) {
      if (!/^-?\d[\d.,]*$/.test(cells[at] ?? '')) continue
      counts[at] = (counts[at] ?? 0) + 1
      hasOne = true
    }
    if (hasOne) withNumber++
  }
  const at = counts.findIndex((count = 0) => count * 2 >= withNumber && count > 0)
  return at === -1 ? null : at
}
