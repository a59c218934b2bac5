import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPieces } from './order-columns.ts'
import { sheetRowsOf } from './order-rows.ts'

/** Quantities that stand beside prices, sparsely, with a unit, or under words that nobody has listed. */

const rowsOf = (sheet: string) => sheetRowsOf(sheet).rows.map(({ code, quantity }) => `${quantity} × ${code}`)

for (const [what, sheet] of [
  ['pieces with their unit, not whole prices', 'M101;12;2 Stk\nM102;9;3 Stk'],
  ['pieces with their unit before prices', 'M101;2 pcs;12\nM102;3 pcs;9'],
  ['the few whole numbers, not amounts with decimals', 'M101;12.90;2\nM102;9.50;3'],
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

test('a column of quantities that is blank in most rows is one all the same beside prices with decimals', () => {
  const rows = ['M101;12.90;', 'M102;9.50;3', 'M103;4.10;', 'M104;7.00;', 'M105;3.20;']
  assert.deepEqual(rowsOf(rows.join('\n'))[1], '3 × M102')
  assert.ok(!rowsOf(rows.join('\n')).some((row) => /^12|^9|^4|^7|^3\./.test(row)))
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
