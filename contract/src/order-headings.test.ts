import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sheetRowsOf } from './order-rows.ts'

const rowsOf = (sheet: string) => sheetRowsOf(sheet).rows.map(({ code, quantity }) => `${quantity} × ${code}`)
const ean = '4006381333931'
const other = '4006381333932'

for (const [sheet, ...expected] of [
  ['SKU-1001\t5\nSKU-1002\t3', '5 × SKU-1001', '3 × SKU-1002'],
  ['SKU-1001\nGSB-18', '1 × SKU-1001', '1 × GSB-18'],
  ['SKU-1001;five\nSKU-1002;3', 'five × SKU-1001', '3 × SKU-1002'],
  ['SKU-1001;Drill\nGSB-18;Saw', 'Drill × SKU-1001', 'Saw × GSB-18'],
  ['REF 1001;5\nREF 1002;3', '5 × REF 1001', '3 × REF 1002'],
  ['Réf. 1001;5\nRéf. 1002;3', '5 × Réf. 1001', '3 × Réf. 1002'],
  ['Art.-Nr. 1001;5\nArt.-Nr. 1002;3', '5 × Art.-Nr. 1001', '3 × Art.-Nr. 1002'],
  ['COD 1;5\nCOD 2;3', '5 × COD 1', '3 × COD 2'],
  ['NO-1001;\nNO-1002;3', '1 × NO-1001', '3 × NO-1002'],
  ['BOX-12;5\nM13;3', '5 × BOX-12', '3 × M13'],
  [`EAN ${ean};5\nEAN ${other};3`, `5 × EAN ${ean}`, `3 × EAN ${other}`],
  ['M101\t5 Stk\nM102\t3 Stk', '5 × M101', '3 × M102'],
  ['M101;5 Stk;Stk\nGSB;3 Stk;Stk', '5 × M101', '3 × GSB'],
  [`${ean}\tBohrer-Set 19 Stück\t5\n${other}\tSäge\t3`, `5 × ${ean}`, `3 × ${other}`],
  [`${ean}\tDrill bit set, 19 pcs\t5\n${other}\tSaw\t3`, `5 × ${ean}`, `3 × ${other}`],
  [`${ean}\tCoffret 19 pièces\t5\n${other}\tScie\t3`, `5 × ${ean}`, `3 × ${other}`],
  [`${ean}\tJuego de 19 unidades\t5\n${other}\tSierra\t3`, `5 × ${ean}`, `3 × ${other}`],
  [`${ean}\tSet da 19 pezzi\t5\n${other}\tSega\t3`, `5 × ${ean}`, `3 × ${other}`],
] as const)
  test(`${JSON.stringify(sheet)}: an order without a heading keeps its first row, though that has words of headings`, () => {
    assert.deepEqual(rowsOf(sheet), expected)
  })

test('a first row without digits that may be a row of the order is read as one, to be reported if it is none', () => {
  assert.deepEqual(rowsOf('REF-HAMMER;Großer Hammer;\nM23;Säge;5'), ['0 × REF-HAMMER', '5 × M23'], 'with no quantity')
  assert.deepEqual(rowsOf('REF-HAMMER;Großer Hammer\nM23;Säge;5'), ['0 × REF-HAMMER', '5 × M23'], 'and no cell for it')
  assert.deepEqual(rowsOf('HAMMER;Großer Hammer;\nM23;Säge;5'), ['0 × HAMMER', '5 × M23'])
  assert.deepEqual(rowsOf('REF-HAMMER;viele\nM23;5'), ['viele × REF-HAMMER', '5 × M23'])
  assert.deepEqual(rowsOf('REF-HAMMER;Stk\nREF-SAW;Stk'), ['Stk × REF-HAMMER', 'Stk × REF-SAW'], 'with the unit of the rows below')
  assert.deepEqual(rowsOf('ABC;Bohrer\nDEF;Säge'), ['Bohrer × ABC', 'Säge × DEF'], 'above rows without numbers')
  assert.deepEqual(rowsOf('Artikelnummer;Bezeichnung;\nM23;Säge;5'), ['0 × Artikelnummer', '5 × M23'])
})

for (const [sheet, ...expected] of [
  ['EAN13;Menge 2026\n4006381333931;3', '3 × 4006381333931'],
  ['SKU;Qty\nSKU-1001;5\nSKU-1002;3', '5 × SKU-1001', '3 × SKU-1002'],
  ['Part no 1;Part no 2;Qty\nM1;X1;5', '5 × M1'],
  ['SKU;Price;10+ price;Qty\nM23;25;23;3', '3 × M23'],
  ['SKU\nSKU-1001\nGSB-18', '1 × SKU-1001', '1 × GSB-18'],
  ['Wort;Preis;Soll\nM1;25;3', '3 × M1'],
] as const)
  test(`${JSON.stringify(sheet)}: a heading is no row of the order, though it has digits or is like the rows below`, () => {
    assert.deepEqual(rowsOf(sheet), expected)
  })

for (const [sheet, ...expected] of [
  ['Bestellung Nr. 4711\nArtikelnummer\tPreis\tMenge\nM23\t25\t5', '1 × Bestellung Nr. 4711', '5 × M23'],
  ['Order no. 4711\nSKU\tPrice\tRequired\nM23\t25\t5', '1 × Order no. 4711', '5 × M23'],
  ['Commande n° 4711;;\nRéférence;Prix;Qté\nM23;25;5', '1 × Commande n° 4711', '5 × M23'],
  ['Pedido n.º 4711;;\n;;\nReferencia;Precio;Cantidad\nM23;25;5', '1 × Pedido n.º 4711', '5 × M23'],
  ['Ordine n. 4711\nCodice;Prezzo;Quantità\nM23;25;5', '1 × Ordine n. 4711', '5 × M23'],
  ['Kunde;Müller GmbH;\nDatum;30.11.2026;\nArtikelnummer;Preis;Menge\nM23;25;5', 'Müller GmbH × Kunde', '30.11.2026 × Datum', '5 × M23'],
  ['Order no;Date;Customer\n4711;30.11.2026;815\nSKU;Price;Qty\nM23;25;5', '30.11.2026 × 4711', '5 × M23'],
  ['Ref. Müller\nM23\t5\nM24\t3', '1 × Ref. Müller', '5 × M23', '3 × M24'],
  ['EAN\n4006381333931\t5', '1 × EAN', '5 × 4006381333931'],
  ['SKU;Price;Qty\nM1;25;3\nSKU;Price;Qty;Weight\nM2;30;4;9', '3 × M1', '4 × M2'],
] as const)
  test(`${JSON.stringify(sheet)}: what stands above the heading of a table is reported, and the table read by its heading`, () => {
    assert.deepEqual(rowsOf(sheet), expected)
    assert.equal(sheetRowsOf(sheet).isOneEach, false)
  })

test('a table without quantities is said to have none, whatever stands above it', () => {
  for (const sheet of ['Bestellung Nr. 4711\nArtikelnummer;Bezeichnung\nM23;Säge', 'Bestellung;4711\nArtikelnummer;Preis\nM23;25'])
    assert.equal(sheetRowsOf(sheet).isOneEach, true, sheet)
  const two = 'SKU;Price\nM1;25\nSKU;Price;Qty\nM2;30;4'
  assert.deepEqual([sheetRowsOf(two).isOneEach, ...rowsOf(two)], [true, '1 × M1', '4 × M2'], 'nor whatever stands below')
})
