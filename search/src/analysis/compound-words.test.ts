import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compoundParts, splitInTwo } from './compound-words.ts'

const known =
  (...words: string[]) =>
  (word: string) =>
    words.includes(word)

test('a compound is split into known words, dropping linking letters', () => {
  assert.deepEqual(compoundParts('akkuschrauber', known()), ['akku', 'schrauber'])
  assert.deepEqual(compoundParts('sicherheitsschuhe', known('sicherheit', 'schuhe')), ['sicherheits', 'schuhe'])
  assert.deepEqual(compoundParts('handtuchheizkorper', known('heizkorper')), ['handtuch', 'heizkorper'])
  assert.deepEqual(compoundParts('schlagbohrschrauber', known()), ['schlag', 'bohr', 'schrauber'])
  assert.equal(compoundParts('zementen', known('zement')), null)
  assert.equal(compoundParts('schrauber', known()), null)
})

test('two words written as one are found', () => {
  assert.deepEqual(splitInTwo('lawnmower', known('lawn', 'mower')), ['lawn', 'mower'])
  assert.equal(splitInTwo('lawnmower', known('lawn')), null)
})
