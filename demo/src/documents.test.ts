import assert from 'node:assert/strict'
import { test } from 'node:test'
import { energyLabel, manualPage } from './documents.ts'
import { languages } from './languages.ts'
import { product, type DemoProduct } from './product.ts'

const made = Array.from({ length: 1500 }, (_, index) => product(42, index))
const caseOf = ({ family, brand, ...rest }: DemoProduct) => ({ ...rest, family: family.key, brand: brand.name })

test('every document address resolves to a document that can be generated', () => {
  for (const of of made) {
    for (const { kind, language, url } of of.documents) {
      assert.equal(url, `/documents/p/${of.id}/${kind}-${language}.${kind === 'manual' ? 'html' : 'svg'}`)
      const text = kind === 'manual' ? manualPage(caseOf(of), language) : energyLabel(caseOf(of), language)
      assert.ok(text, `${of.family.key} ${kind}`)
      assert.doesNotMatch(text, /undefined|NaN/)
    }
  }
})

test('the instructions carry safety, data and maker in the requested language', () => {
  const [drill] = made as [DemoProduct]
  for (const language of languages) {
    const page = manualPage(caseOf(drill), language)
    assert.ok(page.includes(`<html lang="${language}">`))
    for (const warning of drill.safety.warnings[language]) assert.ok(page.includes(warning))
    assert.ok(page.includes(drill.safety.email) && page.includes(drill.ean))
  }
  assert.match(manualPage(caseOf(drill), 'de'), /<th scope="row">Drehmoment<\/th><td>\d+ Nm</)
})

test('sellers’ text cannot break out of the page', () => {
  const [drill] = made as [DemoProduct]
  const page = manualPage({ ...caseOf(drill), mpn: '<script>alert(1)</script>' }, 'en')
  assert.doesNotMatch(page, /<script/)
})

test('the energy label points at the class, and products without a class have none', () => {
  const labelled = made.filter(({ attributes }) => attributes.energy !== undefined)
  assert.ok(labelled.length > 20)
  for (const of of labelled)
    assert.ok(
      energyLabel(caseOf(of), 'fr')?.includes(`aria-label="Énergie: ${of.attributes.energy}"`),
      `${of.family.key} ${of.attributes.energy}`,
    )
  assert.equal(energyLabel({ ...caseOf(made[0] as DemoProduct), attributes: {} }, 'en'), null)
})
