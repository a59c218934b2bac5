import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf } from './order-columns.ts'
import { orderRowsOf, sheetRowsOf } from './order-rows.ts'

const ean = '4006381333931'
const rowsOf = (sheet: string) => orderRowsOf(sheet).map(({ code, quantity }) => `${quantity} × ${code}`)

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
    ['2 × M23', '1 × Summe', '5 × M24'],
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
