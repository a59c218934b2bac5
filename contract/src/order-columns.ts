/** Which columns of a sheet hold the numbers and the quantities. */
export interface Columns {
  /** Null where each row's first filled cell is the number. */
  code: number | null
  /** Null where the sheet has no quantities. */
  quantity: number | null
  /** Whether the first row is a heading. */
  hasHeading: boolean
  /** Whether its words named the columns; otherwise a row that is shifted or shorter may differ from them. */
  isNamed: boolean
}

/** Words of headings in five languages, without accents. The kinds of numbers come in the order in which they are preferred. */
const headings = {
  codes: [
    'ean|gtin|upc|barcode|barcodes|strichcode|codebarres',
    'sku|mpn|ref|reference|referencia|riferimento|rif|number|no|nr|numero|num|code|codigo|codice|artikelnummer|artikelnr|artnr|bestellnummer|bestellnr|teilenummer|herstellernummer|materialnummer|sachnummer',
    'item|article|artikel|articulo|articolo|product|produkt|produit|producto|prodotto',
  ].map((list) => new Set(list.split('|'))),
  quantity: new Set(
    'quantity|qty|pieces|pcs|units|menge|anzahl|stuck|stk|stuckzahl|bestellmenge|quantite|qte|nombre|pieces|cantidad|cant|unidades|uds|quantita|qta|pezzi|pz'.split(
      '|',
    ),
  ),
  price:
    /^(?:price|preis|einzelpreis|gesamtpreis|prix|precio|prezzo|total|summe|gesamt|totale|importe|importo|montant|amount|eur|gbp|net|netto)$/,
  position: /^(?:pos|position|posicion|posizione|line|zeile|ligne|linea|riga|lfd)$/,
}

/**
 * The columns by the words of the first row; without such words the quantities are the first column of numbers after the codes. A column that only counts
 * the rows is neither.
 */
export function columnsOf(rows: readonly (readonly string[])[]): Columns {
  const [first = []] = rows
  const named = namedColumns(first)
  if (named && rows.length > 1) return named
  // Words that nobody has listed are a heading all the same, where the rows below have digits.
  const hasHeading = first.filter(Boolean).length > 1 && rows.length > 1 && !first.some((cell) => /\d/.test(cell))
  const data = hasHeading ? rows.slice(1) : rows
  const counted = data.length > 1 && data.every((cells, at) => cells[0] === String(at + 1) && (cells[1] ?? '') !== '') ? 1 : null
  return { code: counted, quantity: quantityColumn(data, (counted ?? 0) + 1), hasHeading, isNamed: false }
}

function namedColumns(heading: readonly string[]): Columns | null {
  const cells = heading.map(wordsOf)
  const isOther = (words: readonly string[]) => words.some((word) => headings.price.test(word) || headings.position.test(word))
  const having = (known: ReadonlySet<string>, except: number | null = null) => {
    const at = cells.findIndex((words, column) => column !== except && !isOther(words) && words.some((word) => known.has(word)))
    return at === -1 ? null : at
  }
  const quantity = having(headings.quantity)
  const code = headings.codes.map((known) => having(known, quantity)).find((column) => column !== null) ?? null
  if (code === null && quantity === null) return null
  return { code, quantity, hasHeading: true, isNamed: true }
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
