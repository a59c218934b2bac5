import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playSequence } from './rules.ts'

/** `npm run model` plays 100,000. */
const sequences = Number(process.env['MODEL_SEQUENCES'] ?? 2_000)
const firstSeed = Number(process.env['MODEL_SEED'] ?? 1)

test('V-60 R-482 any sequence of moves by anybody keeps pieces, money and papers in agreement, and everything comes to an end', () => {
  let moves = 0
  for (let seed = firstSeed; seed < firstSeed + sequences; seed++) moves += playSequence(seed)
  assert.ok(moves > sequences, 'the sequences do something')
})
