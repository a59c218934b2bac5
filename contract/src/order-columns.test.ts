import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf } from './order-columns.ts'
import { sheetRowsOf } from './order-rows.ts'

const ean = '4006381333931'
const rowsOf = (sheet: string) => sheetRowsOf(sheet).rows.map(({ code, quantity }) => `${quantity} × ${code}`)

for (const heading of [
  'No.;EAN;Part number;Qty',
  'Nr.;EAN;Artikelnummer;Menge',
  'Num;EAN;Référence;Quantité',
  'Núm.;EAN;Código de artículo;Cantidad',
  'Num.;EAN;Codice articolo;Quantità',
  'Customer no;EAN;SKU;Pieces',
  'Kunden-Nr.;EAN;Art.-Nr.;Stück',
  'Code client;EAN;N° article;Qté',
  'Código de cliente;EAN;Ref.;Uds.',
  'Codice cliente;EAN;Cod. art.;Pezzi',
  'Reference of the order;EAN;Item no.;Qty',
  'Référence commande;EAN;Réf. article;Quantité',
])
  test(`"${heading}": a row without an EAN is read by its part number, and one without either by none`, () => {
    const data = [`2;${ean};M23;1`, '2;;M24;5', '2;;;7']
    assert.deepEqual(rowsOf([heading, ...data].join('\n')), [`1 × ${ean}`, '5 × M24', '7 × '])
  })

for (const heading of [
  'No.;Part number;Qty',
  'Invoice no;Part number;Qty',
  'Customer part number;Part number;Qty',
  'Rechnungs-Nr.;Artikelnummer;Menge',
  'Auftrags-Nr.;Hersteller-Art.-Nr.;Menge',
  'Numéro de facture;Référence;Quantité',
  'Centre de coût;Code article;Quantité',
  'N.º de pedido;Código;Cantidad',
  'Numero fattura;Codice prodotto;Quantità',
  'Codice commessa;Codice articolo;Quantità',
  'Cost code;Number;Qty',
])
  test(`"${heading}": numbers of something else are none of products, though each row has one`, () => {
    assert.deepEqual(rowsOf(`${heading}\n4711;M23;2\n4712;M24;5`), ['2 × M23', '5 × M24'])
  })

test('a column that counts the rows has no numbers of products, whatever it is called', () => {
  for (const heading of ['Nr.;Artikel;Menge', 'Item;Part number;Qty', 'Item no.;Part number;Qty', '#;Bezeichnung;Menge', 'Row;Code;Qty'])
    for (const counts of [
      ['1', '2', '3'],
      ['1.', '2.', '3.'],
      ['001', '002', '003'],
      ['10', '20', '30'],
    ]) {
      const data = ['M23;2', 'M24;5', ';7'].map((cells, at) => `${counts[at]};${cells}`)
      assert.deepEqual(rowsOf([heading, ...data].join('\n')), ['2 × M23', '5 × M24', '7 × '], `${heading} ${counts.join()}`)
    }
  assert.deepEqual(rowsOf('Nr.;Artikel;Menge\n1;M23;2'), ['2 × M23'], 'nor one row alone')
  assert.deepEqual(
    rowsOf('Nr.;Artikel;Menge\n1;M23;2\n;;\n;Summe;\n2;M24;5'),
    ['2 × M23', '0 × Summe', '5 × M24'],
    'rows between do not count',
  )
  const ten = Array.from({ length: 10 }, (_, at) => `${at + 1};M${at};3`)
  assert.deepEqual(rowsOf(['Nr.;Artikel;Menge', ...ten].join('\n'))[9], '3 × M9')
})

test('numbers of products may be small, and need not be called more than numbers', () => {
  assert.deepEqual(rowsOf('Artikelnummer;Menge\n1;5\n2;3'), ['5 × 1', '3 × 2'])
  assert.deepEqual(rowsOf('Number;Qty\n10;5\n30;3'), ['5 × 10', '3 × 30'])
  assert.deepEqual(rowsOf('Code;Name;Quantité\n2;Vis;5\n1;Clou;3'), ['5 × 2', '3 × 1'])
  assert.deepEqual(rowsOf('Produit commandé;Quantité\nM1;5'), ['5 × M1'])
})

test('without a word for numbers they are in the first column of another kind, and nowhere if there is none', () => {
  assert.deepEqual(rowsOf('Pos;Preis;Wort;Menge\n7;25;M1;3\n9;30;M2;4'), ['3 × M1', '4 × M2'])
  assert.deepEqual(rowsOf('Wort;Stock qty;Soll\nM1;90;3\n;80;4'), ['3 × M1', '4 × '])
  assert.deepEqual(rowsOf('Customer no;Qty\n4711;3'), ['3 × '])
  assert.deepEqual(rowsOf('Nr.;Menge\n1;3\n2;4'), ['3 × ', '4 × '])
})

test('in a sheet without a heading that counts its rows, one without a number is reported, and the others keep theirs', () => {
  assert.deepEqual(rowsOf(`1;${ean};3\n2;;5\n3;77;4`), [`3 × ${ean}`, '5 × ', '4 × 77'])
  assert.deepEqual(rowsOf('1;M1\n2;\n3;M3'), ['1 × M1', '1 × M3'], 'a row of nothing but its number is empty')
  assert.deepEqual(rowsOf('1;;5\n2;;3\n3;M3;4'), ['5 × 1', '3 × 2', '4 × 3'], 'what most rows do not have is not looked for')
  const columns = { quantity: 1, hasHeading: false, isNamed: true }
  const counted = ['1;4;M1', '2;6;M2'].map((line) => line.split(';'))
  assert.deepEqual(columnsOf(counted, 1), { ...columns, codes: [2] }, 'beside the quantities that somebody has chosen')
})

for (const heading of [
  'Part number;Units per pack;Quantity',
  'SKU;Pack qty;Order qty',
  'SKU;Qty/box;Qty',
  'SKU;Min. order qty;Qty',
  'SKU;Qty in stock;Qty',
  'Artikelnummer;Stück je Karton;Menge',
  'Artikelnummer;Menge (VPE);Menge',
  'Artikelnummer;Gewicht pro Stück;Stück',
  'Référence;Pièces par carton;Quantité',
  'Référence;Qté/colis;Qté',
  'Référence;Quantité disponible;Quantité',
  'Referencia;Unidades por caja;Cantidad',
  'Referencia;Uds. por paquete;Uds.',
  'Codice;Pezzi per confezione;Quantità',
  'Codice;Pz/scatola;Pz',
])
  test(`"${heading}": the size of a pack is not the quantity, wherever it stands`, () => {
    assert.deepEqual(rowsOf(`${heading}\nM23;10;2\nM24;25;4`), ['2 × M23', '4 × M24'])
    const [code, size, quantity] = heading.split(';')
    assert.deepEqual(rowsOf(`${size};${code};${quantity}\n10;M23;2\n25;M24;4`), ['2 × M23', '4 × M24'])
  })

test('the size of a pack is the quantity only where no other column may be; otherwise the sheet has none', () => {
  const read = (sheet: string) => {
    const { rows, isOneEach } = sheetRowsOf(sheet)
    return [isOneEach, ...rows.map(({ code, quantity }) => `${quantity} × ${code}`)]
  }
  assert.deepEqual(read('SKU;Pack qty\nM23;10'), [false, '10 × M23'])
  assert.deepEqual(read('SKU;Pack qty;Name\nM23;10;Drill'), [false, '10 × M23'])
  assert.deepEqual(read('SKU;Units per pack;Wanted\nM23;10;2'), [true, '1 × M23'])
  assert.deepEqual(read('SKU;Stock qty;Wanted\nM23;90;2'), [false, '2 × M23'])
  assert.deepEqual(read('SKU;Stock qty\nM23;90'), [true, '1 × M23'])
  assert.deepEqual(read('SKU;Carton;Wanted\nM23;10;2'), [false, '2 × M23'])
})

test('of several columns that are called quantities the first with numbers has them', () => {
  assert.deepEqual(rowsOf('SKU;Units;Quantity\nM23;pcs;2'), ['2 × M23'])
  assert.deepEqual(rowsOf('Nombre;Código;Cantidad\nTaladro;M23;2'), ['2 × M23'])
  assert.deepEqual(rowsOf('SKU;Menge;Anzahl\nM23;;\nM24;;'), ['1 × M23', '1 × M24'])
  assert.deepEqual(rowsOf(`EAN Stück;EAN Karton;Menge\n${ean};77;2`), [`2 × ${ean}`], 'an EAN is no quantity')
})

for (const heading of [
  'Artikelnummer;Menge gesamt',
  'Artikelnummer;Gesamtmenge',
  'Référence;Quantité totale',
  'Referencia;Cantidad total',
  'Codice;Quantità totale',
  'SKU;Order qty total',
  'SKU;Qty net',
  'SKU;Line qty',
  'Art.-Nr.;Menge netto',
  'Réf.;Qté ligne',
])
  test(`"${heading}": a sum of pieces and the quantity of a line are quantities, but not beside one that is called so alone`, () => {
    assert.deepEqual(rowsOf(`${heading};Name\nM23;5;Drill\nM24;6;Saw`), ['5 × M23', '6 × M24'])
    if (!heading.includes('Gesamtmenge')) assert.deepEqual(rowsOf(`${heading};Qty\nM23;5;2\nM24;6;3`), ['2 × M23', '3 × M24'])
  })

for (const heading of [
  'SKU;Unit price',
  'Art.-Nr.;Preis pro Stück',
  'Art.-Nr.;Stückpreis',
  'Art.-Nr.;EP',
  'Réf.;PU',
  'Réf.;Prix/pièces',
  'Ref.;Precio uds.',
  'Codice;Prezzo pz',
])
  test(`"${heading}": the price of a piece is no quantity`, () => {
    const { rows, isOneEach } = sheetRowsOf(`${heading}\nM23;25`)
    assert.deepEqual([rows, isOneEach], [[{ code: 'M23', quantity: '1' }], true])
  })

for (const heading of [
  'Part number;Units per pack;Packs',
  'SKU;Pack qty;Qty (packs)',
  'Article;Units/pack;No. of packs',
  'Artikelnummer;Stück je Karton;Kartons',
  'Artikelnummer;Stück/VE;Anzahl VE',
  'Référence;Pièces par carton;Cartons',
  'Référence;Qté/colis;Nb de colis',
  'Referencia;Unidades por caja;Cajas',
  'Codice;Pezzi per confezione;Confezioni',
])
  test(`"${heading}": beside the number of packs their size is not ordered; the sheet is said to have no quantities`, () => {
    const { rows, isOneEach } = sheetRowsOf(`${heading}\nM23;10;2\nM24;25;4`)
    assert.deepEqual([rows.map(({ quantity }) => quantity), isOneEach], [['1', '1'], true])
    assert.deepEqual(rowsOf(`${heading};Qty\nM23;10;2;20\nM24;25;4;100`), ['20 × M23', '100 × M24'])
  })

test('of several columns of quantities that differ none is guessed, unless its heading says that it is ordered', () => {
  const read = (sheet: string) => [sheetRowsOf(sheet).isOneEach, ...rowsOf(sheet)]
  assert.deepEqual(read('SKU;Qty;Quantity\nM23;5;6'), [true, '1 × M23'])
  assert.deepEqual(read('SKU;Qty;Quantity\nM23;5;\nM24;;3'), [true, '1 × M23', '1 × M24'])
  assert.deepEqual(read('SKU;Qty;Quantity\nM23;5;5'), [false, '5 × M23'])
  assert.deepEqual(read('SKU;Pieces;Cartons;Total pieces\nM23;10;2;20'), [true, '1 × M23'], 'the pieces of a carton, or of all')
  assert.deepEqual(read('SKU;Stück;Bestellte Stück\nM23;5;6'), [false, '6 × M23'])
  assert.deepEqual(read('SKU;Ist;Soll;Bestellen\nM23;5;7;2'), [false, '2 × M23'], 'also under words that are not listed')
  assert.deepEqual(read('SKU;Qty delivered\nM23;5'), [true, '1 × M23'], 'what was delivered is ordered by nobody')
  assert.deepEqual(read('SKU;Kostenstelle\nM23;4711'), [true, '1 × M23'], 'nor the number of something else')
})

for (const heading of [
  'SKU;Qty delivered;Qty ordered',
  'SKU;Open qty;Qty',
  'Artikelnummer;Gelieferte Menge;Bestellte Menge',
  'Artikelnummer;Liefermenge;Bestellmenge',
  'Référence;Qté livrée;Qté commandée',
  'Referencia;Cantidad entregada;Cantidad pedida',
  'Codice;Quantità consegnata;Quantità ordinata',
])
  test(`"${heading}": what was delivered is not ordered again`, () => {
    assert.deepEqual(rowsOf(`${heading}\nM23;1;2\nM24;0;5`), ['2 × M23', '5 × M24'])
  })

test('a Spanish name that begins with a number is no quantity', () => {
  assert.deepEqual(rowsOf('Nombre;Código;Cantidad\n10 tornillos;M23;2\nTaladro;M24;5'), ['2 × M23', '5 × M24'])
  assert.deepEqual(rowsOf('Code;Nombre\nM23;2\nM24;5'), ['2 × M23', '5 × M24'], 'which in French is a number')
})

for (const heading of [
  'Supplier no;Item;Qty',
  'Raum-Nr.;Artikel;Menge',
  'N° pièce;Article;Qté',
  'Código de sala;Artículo;Cantidad',
  'Codice stanza;Articolo;Quantità',
  'Unit;Part;Qty',
  'Description;Model;Qty',
  'Bezeichnung;Modell;Menge',
  'Désignation;Modèle;Quantité',
  'N° commande;Modèle;Qté',
])
  test(`"${heading}": the products are in the column of items, parts or models, not in that before it`, () => {
    assert.deepEqual(rowsOf(`${heading}\n101;M23;2\n102;M24;5`), ['2 × M23', '5 × M24'])
    const [first, second, quantity] = heading.split(';')
    assert.deepEqual(rowsOf(`${quantity};${first};${second}\n2;101;M23\n5;102;M24`), ['2 × M23', '5 × M24'])
  })

test('a number of anything is that of products where their column has names, and not where it is the same in all rows', () => {
  assert.deepEqual(rowsOf('Bosch-Nr.;Artikel;Menge\n0601;Bohrer;2\n0602;Säge;3'), ['2 × 0601', '3 × 0602'])
  assert.deepEqual(rowsOf('Supplier no;Item;Qty\n4711;Drill;2\n4711;Saw;5'), ['2 × Drill', '5 × Saw'])
  assert.deepEqual(rowsOf('Qty;Unit;Wort\n5;EA;M23\n2;EA;M24'), ['5 × M23', '2 × M24'])
})

for (const heading of ['Order code;Qty', 'Réf. commande;Qté', 'N° commande;Qté', 'Código de pedido;Cantidad', "Codice d'ordine;Quantità"])
  test(`"${heading}": the number with which products are ordered is theirs where there is no other, and not where it is one order's`, () => {
    assert.deepEqual(rowsOf(`${heading}\nM23;5\nM24;3`), ['5 × M23', '3 × M24'])
    assert.deepEqual(rowsOf(`${heading};Name\nM23;5;Drill\nM24;3;Saw`), ['5 × M23', '3 × M24'])
    assert.deepEqual(rowsOf(`${heading}\n4711;5\n4711;3`), ['5 × ', '3 × '])
  })

for (const heading of [
  'Artikelnummer;Größe;Stck',
  'Artikelnummer;GRÖẞE;Wunsch',
  'Artikelnummer;Groesse;Anz.',
  'Artikelnummer;Betrag;Wunsch',
  'Referencia;Talla;Deseo',
  'Codice;Listino;Voglio',
  'Réf.;Pointure;Voulu',
])
  test(`"${heading}": a size or a price is no quantity`, () => {
    assert.deepEqual(rowsOf(`${heading}\nM23;42;12\nM24;43;5`), ['12 × M23', '5 × M24'])
  })

test('behind a dash in the column of quantities no price is taken for one', () => {
  for (const none of ['-', '–', 'n/a', 'x', '?'])
    assert.deepEqual(rowsOf(`M23;5;25\nM24;${none};40\nM25;2;30`), ['5 × M23', `${none} × M24`, '2 × M25'], none)
})
