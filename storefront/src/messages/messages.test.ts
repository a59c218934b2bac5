import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { argumentsOf } from '@purlin/web/i18n.ts'
import { languages, readAreas } from './load.ts'

const areas = readAreas()

test('every area has the same keys in all five languages, each beginning with the name of its area', () => {
  const names = Object.keys(areas.en)
  assert.ok(names.length > 0)
  for (const language of languages) {
    assert.deepEqual(Object.keys(areas[language]).toSorted(), names.toSorted(), `areas of ${language}`)
    for (const area of names) {
      assert.deepEqual(Object.keys(areas[language][area]!).toSorted(), Object.keys(areas.en[area]!).toSorted(), `${area} in ${language}`)
      for (const key of Object.keys(areas[language][area]!)) assert.ok(key.startsWith(`${area}.`), `${key} in ${area}.${language}.json`)
    }
  }
})

test('every message is well formed, not empty, and takes the same values in every language', () => {
  for (const [area, messages] of Object.entries(areas.en)) {
    for (const [key, english] of Object.entries(messages)) {
      for (const language of languages) {
        const message = areas[language][area]?.[key] ?? ''
        assert.ok(message.trim(), `${key} in ${language}`)
        assert.deepEqual(argumentsOf(message), argumentsOf(english), `${key} in ${language}`)
      }
    }
  }
})

test('French has no sign of its own at the beginning of a line: what stands before it does not break', () => {
  for (const messages of Object.values(areas.fr)) {
    for (const [key, words] of Object.entries(messages)) assert.doesNotMatch(words, / [?!:;»%]|« /, key)
  }
})

test('every area is listed in keys.ts, so that its keys are typed', () => {
  const keys = readFileSync(`${import.meta.dirname}/keys.ts`, 'utf8')
  for (const area of Object.keys(areas.en)) assert.ok(keys.includes(`./${area}.en.json`), area)
})
