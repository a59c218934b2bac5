/** Which columns of a sheet hold the numbers and the quantities. */
export interface Columns {
  /** In the order in which a row's number is looked for; none where its first filled cell is the number. */
  codes: readonly number[]
  /** Null where the sheet has no quantities. */
  quantity: number | null
  /** Whether the first row is a heading. */
  hasHeading: boolean
  /** Whether its words named the columns; otherwise a row that is shifted or shorter may differ from them. */
  isNamed: boolean
}

/** Columns that may be chosen as that of the quantities, by their letters. */
export const quantityColumns = 'ABCDEFGHIJKLMNOPQRST'

/** Words of headings in five languages, without accents. The kinds of numbers come in the order in which they are preferred. */
const headings = {
  codes: [
    'ean|gtin|upc|barcode|barcodes|strichcode|codebarres',
    'sku|mpn|ref|reference|referencia|riferimento|rif|number|no|nr|numero|num|code|codigo|codice|artikelnummer|artikelnr|artnr|bestellnummer|bestellnr|teilenummer|herstellernummer|materialnummer|sachnummer',
    'item|article|artikel|articulo|articolo|product|produkt|produit|producto|prodotto',
  ].map((list) => new Set(list.split('|'))),
  quantity: new Set(
    'quantity|qty|pieces|pcs|units|menge|anzahl|stuck|stk|stuckzahl|bestellmenge|quantite|qte|nombre|pieces|cantidad|cant|unidades|uds|quantita|qta|pezzi|pz|count|bedarf|nb|nbre'.split(
      '|',
    ),
  ),
  price:
    /^(?:price|preis|einzelpreis|gesamtpreis|prix|precio|prezzo|total|summe|gesamt|totale|importe|importo|montant|rrp|uvp|pvp|ht|ttc|eur|gbp|net|netto)$/,
  /** A price beside another price, and otherwise perhaps the quantity. */
  amount: /^amount$/,
  position: /^(?:pos|position|posicion|posizione|line|zeile|ligne|linea|riga|lfd)$/,
  /** Numbers that are no quantities, where no heading says which are. */
  measure:
    /^(?:weight|gewicht|poids|peso|kg|length|laenge|lange|longueur|longitud|lunghezza|width|breite|largeur|anchura|ancho|larghezza|height|hohe|hauteur|altura|alto|altezza|depth|tiefe|diameter|durchmesser|diametre|diametro|mm|cm|size|grosse|taille|year|jahr|annee|vat|mwst|tva|iva|discount|rabatt|remise|descuento|sconto|stock|bestand|lagerbestand|stocks|vpe|date|datum|fecha|data)$/,
}

/**
 * The columns by the words of the first row; without such words the quantities are the first column of numbers after the codes. A column that only counts
 * the rows is neither.
 */
export function columnsOf(rows: readonly (readonly string[])[]): Columns {
  const [first = []] = rows
  const named = rows.length > 1 ? namedColumns(rows) : null
  if (named) return named
  // Words that nobody has listed are a heading all the same, where the rows below have digits.
  const hasHeading = first.filter(Boolean).length > 1 && rows.length > 1 && !first.some((cell) => /\d/.test(cell))
  const data = hasHeading ? rows.slice(1) : rows
  const isCounted = data.length > 1 && data.every((cells, at) => cells[0] === String(at + 1) && (cells[1] ?? '') !== '')
  return { codes: isCounted ? [1] : [], quantity: quantityColumn(data, isCounted ? 2 : 1), hasHeading, isNamed: false }
}

function namedColumns([heading = [], ...data]: readonly (readonly string[])[]): Columns | null {
  const cells = heading.map(wordsOf)
  const isCalled = (words: readonly string[], kind: RegExp) => words.some((word) => kind.test(word))
  const hasPrice = cells.some((words) => isCalled(words, headings.price))
  const isOther = (words: readonly string[]) =>
    isCalled(words, headings.price) || isCalled(words, headings.position) || (hasPrice && isCalled(words, headings.amount))
  const having = (known: ReadonlySet<string>) =>
    cells.flatMap((words, column) => (!isOther(words) && words.some((word) => known.has(word)) ? [column] : []))
  const quantity = having(headings.quantity)[0] ?? null
  const codes = [...new Set(headings.codes.flatMap(having))].filter((column) => column !== quantity)
  if (codes.length === 0 && quantity === null) return null
  const isFree = cells.map(
    (words) =>
      !isOther(words) && !isCalled(words, headings.measure) && !headings.codes.some((known) => words.some((word) => known.has(word))),
  )
  return { codes, quantity: quantity ?? unnamedQuantities(data, codes[0] ?? 0, isFree), hasHeading: true, isNamed: true }
}

/** Under a heading that nobody has listed: the first free column after the codes, or else before them, of whole numbers that do not just count the rows. */
function unnamedQuantities(data: readonly (readonly string[])[], code: number, isFree: readonly boolean[]): number | null {
  const width = isFree.length
  const free = Array.from({ length: width }, (_, at) => (code + 1 + at) % width).filter((column) => isFree[column] && column !== code)
  const holdsQuantities = (column: number) => {
    const filled = data.map((cells) => cells[column] ?? '').filter(Boolean)
    const whole = filled.filter((cell) => /^\d{1,6}$/.test(cell)).length
    const countsRows = column < code && data.every((cells, at) => cells[column] === String(at + 1))
    return whole > 0 && whole * 2 >= filled.length && !countsRows
  }
  return free.find(holdsQuantities) ?? null
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
