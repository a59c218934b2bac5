import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPieces } from './order-columns.ts'
import { sheetRowsOf } from './order-rows.ts'

/** Quantities that stand beside prices, sparsely, with a unit, or under words that nobody has listed. */

const rowsOf = (sheet: string) => sheetRowsOf(sheet).rows.map(({ code, quantity }) => `${quantity} × ${code}`)

for (const [what, sheet] of [
  ['pieces with their unit, not whole prices', 'M101;12;2 Stk\nM102;9;3 Stk'],
  ['pieces with their unit before prices', 'M101;2 pcs;12\nM102;3 pcs;9'],
  ['its words where two tables stand side by side', 'Art;Menge;;Art;Menge\nM101;2;;M102;3'],
  ['the column “Order”, not the level of the stock', 'Part number;Par level;Order\nM101;10;2\nM102;12;3'],
  ['the column “Commande”, not the target', 'Référence;Seuil;Commande\nM101;10;2\nM102;12;3'],
  ['the column “Bestellung”, not the target', 'Artikelnummer;Soll;Bestellung\nM101;10;2\nM102;12;3'],
  ['the column “Pedido”, not the target', 'Referencia;Nivel;Pedido\nM101;10;2\nM102;12;3'],
  ['the column “Ordine”, not the target', 'Riferimento;Livello;Ordine\nM101;10;2\nM102;12;3'],
  ['the cells that the first line’s separator makes', 'sep=;\nM101;2\nM102;3'],
  ['the cells that the first line’s separator makes, though others are more frequent', '"sep=|"\nM101|2|a,b,c\nM102|3|d,e,f'],
  ['the material, not the one number of the order', 'Bestellnummer;Material;Menge\n4500012345;M101;2\n4500012345;M102;3'],
] as const)
  test(`an order is read by ${what}`, () => {
    assert.deepEqual(rowsOf(sheet), ['2 × M101', '3 × M102'])
  })

for (const [sheet, amount] of [
  ['M101;12.90;2', '12.90'],
  ['M101;12.90;10;\nM102;9.50;10;', '12.90'],
  ['M101;Saw;12.90;2026\nM102;Drill;9.50;2026', '12.90'],
  ['M101;2.00;40\nM102;3.00;55', '2.00'],
  ['M101;12.90;\nM102;9.50;3\nM103;4.10;', '12.90'],
] as const)
  test(`beside amounts with decimals no other number is taken for the quantity (${sheet.replaceAll('\n', ' / ')})`, () => {
    assert.equal(rowsOf(sheet)[0], `${amount} × M101`)
  })

test('a row without a quantity among others that have one is reported, not ordered', () => {
  assert.deepEqual(rowsOf('Art;Menge\nM101;2\nM102;\nM103;4'), ['2 × M101', '0 × M102', '4 × M103'])
  assert.deepEqual(rowsOf('M101;Saw;2\nM102;Drill;\nM103;Nail;4'), ['2 × M101', '0 × M102', '4 × M103'])
  assert.deepEqual(rowsOf(`M101;${'x'.repeat(2100)};5\nM102;y;3`), ['0 × M101', '3 × M102'])
})

test('a number that was typed alone is one piece', () => {
  assert.deepEqual(rowsOf('M101;2\nM102\nM103;4'), ['2 × M101', '1 × M102', '4 × M103'])
  assert.deepEqual(rowsOf('M101\nM102'), ['1 × M101', '1 × M102'])
})

test('of tables side by side each is read, also where one is shorter', () => {
  const rows = ['Art;Menge;;Art;Menge', 'M101;2;;M201;5', 'M102;3;;;']
  assert.deepEqual(rowsOf(rows.join('\n')), ['2 × M101', '3 × M102', '5 × M201'])
})

test('a product that is ordered in several rows keeps its number', () => {
  assert.deepEqual(rowsOf('EAN;Menge\n4006381333931;2\n4006381333931;3'), ['2 × 4006381333931', '3 × 4006381333931'])
  assert.deepEqual(rowsOf('Artikelnummer;Farbe;Menge\nM101;rot;2\nM101;blau;3'), ['2 × M101', '3 × M101'])
})

test('a number of pieces has its unit in any of five languages, and nothing else', () => {
  for (const cell of ['2 Stk', '2Stk.', '3 pcs', '1 pc', '4 x', '5 pièces', '6 uds.', '7 pz', '2 St', '3 Stück'])
    assert.ok(isPieces(cell), cell)
  for (const cell of ['2 kg', '2 m', '19 mm', 'Set 2 Stk', '2 Stk rot', '1.5 Stk', 'Stk', '2', '12 V']) assert.ok(!isPieces(cell), cell)
})
