import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@purlin/contract/markets.ts'
import { headNouns } from './head-nouns.ts'

const names: [Language, name: string, heads: string[]][] = [
  ['en', '18 and 20 V combi drills', ['drills']],
  ['en', 'Metal drill bits', ['bits']],
  ['en', 'Paint rollers', ['rollers']],
  ['en', 'Saw blades for wood', ['blades']],
  ['en', 'Solar mounting sets', ['sets', 'mounting']],
  ['en', 'Socket sets', ['sets', 'Socket']],
  ['en', 'Laminate AC3', ['Laminate']],
  ['en', 'Hoses up to 25 m', ['Hoses']],
  ['en', 'Screws, plugs and nails', ['Screws', 'plugs', 'nails']],
  ['de', 'Akkuschrauber 12 V', ['Akkuschrauber']],
  ['de', 'Wandfarbe weiß matt', ['Wandfarbe']],
  ['de', 'Bunte Wandfarbe', ['Wandfarbe']],
  ['de', 'Sägeblätter für Holz', ['Sägeblätter']],
  ['de', 'Vorhängeschlösser aus Messing', ['Vorhängeschlösser']],
  ['de', 'WC-Sitze', ['Sitze']],
  ['de', 'Wand-WCs', ['WC']],
  ['fr', 'WC suspendus', ['WC']],
  ['fr', 'Perceuses-visseuses 18 et 20 V', ['Perceuses-visseuses']],
  ['fr', 'Forets à métaux', ['Forets']],
  ['fr', 'Coffrets de douilles', ['Coffrets', 'douilles']],
  ['fr', 'Petits meubles vasques', ['meubles']],
  ['fr', "Batteries d'outils", ['Batteries']],
  ['es', 'Brocas para metal', ['Brocas']],
  ['es', 'Juegos de llaves de vaso', ['Juegos', 'llaves']],
  ['es', 'Alarmas autónomas', ['Alarmas']],
  ['fr', 'Tables dessertes', ['Tables']],
  ['en', 'Pool heat pumps', ['heat']],
  ['fr', 'Pompes à chaleur de piscine', ['chaleur']],
  ['es', 'Bombas de calor para piscina', ['calor']],
  ['it', 'Pompe di calore per piscina', ['calore']],
  ['en', 'Pool pumps', ['pumps']],
  ['it', 'Punte per muratura', ['Punte']],
  ['it', 'Set di bussole', ['Set', 'bussole']],
  ['it', 'Trapani a percussione 18 e 20 V', ['Trapani']],
]
for (const [language, name, heads] of names)
  test(`V-83 in ${language}, goods of "${name}" are ${heads.join(' and ') || 'unknown'}`, () => {
    assert.deepEqual(headNouns(name, language), heads)
  })

test('V-83 a name without a noun has none', () => {
  for (const name of ['', '18 V', '3/4']) assert.deepEqual(headNouns(name, 'en'), [])
})
