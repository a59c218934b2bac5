import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { demoCategories } from '@purlin/demo/index.ts'
import { families } from '@purlin/demo/grammar.ts'
import { isPictured } from '@purlin/demo/pictures/index.ts'
import { drawnAs } from '@purlin/demo/index.ts'
import { languagesMissing, readEntryFiles } from '@purlin/server/goods/content/entry-files.ts'
import { root } from './find-tests.ts'

const { entries, faults } = readEntryFiles(join(root, 'demo/content'))

test('the editorial content has no mistakes, and the same structure in every language', () => {
  assert.deepEqual(faults, [])
})

test('products referenced by content exist: their categories, values and measurements are those of the demo shop', () => {
  const byId = new Map(demoCategories.map((category) => [category.id, category]))
  const familiesBelow = (id: number) => demoCategories.filter(({ path, family }) => family !== undefined && path.includes(id))
  const wrong: string[] = []
  for (const { kind, key, facts } of entries) {
    const place = `${kind}:${key}`
    for (const picture of [facts.picture, ...Object.values(facts.pictures)])
      if (picture && !isPictured(drawnAs(picture.family))) wrong.push(`${place}: nobody draws ${picture.family}`)
    for (const id of [facts.department, ...facts.categories])
      if (id !== undefined && !byId.has(id)) wrong.push(`${place}: no category ${id}`)
    const goods = [...facts.shopping, ...Object.values(facts.products), ...(facts.comparison?.picks ?? [])]
    for (const { category, filters } of goods) {
      const leaves = familiesBelow(category)
      if (leaves.length === 0) wrong.push(`${place}: nothing is in category ${category}`)
      for (const [attribute, wanted] of Object.entries(filters)) {
        const had = leaves.flatMap(({ family = '', only }) => only?.[attribute] ?? families.get(family)?.attrs[attribute] ?? [])
        if (!wanted.some((value) => had.includes(value)))
          wrong.push(`${place}: category ${category} has no ${attribute} ${wanted.join(', ')}`)
      }
    }
    for (const { category, need } of facts.shopping)
      for (const attribute of [need?.content, need?.times])
        if (attribute && !familiesBelow(category).every(({ family = '' }) => families.get(family)?.attrs[attribute]))
          wrong.push(`${place}: goods of category ${category} do not say ${attribute}`)
  }
  assert.deepEqual(wrong, [])
})

const facts = { id: 1, published: '2026-10-01', shopping: [{ key: 'tiles', is: 'material', category: 1409 }] }
const words = (body: string) =>
  `---\ntitle: How to tile\ndescription: Forty characters or more, so that a list shows something.\n---\n${body}`
const whole = words(':::shopping\n- tiles: Tiles | ten\n:::\n\n## End {#end}\n\nDone.')

function readGuides(files: Record<string, string>): ReturnType<typeof readEntryFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'content-'))
  try {
    mkdirSync(join(folder, 'guides'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'guides', name), text)
    return readEntryFiles(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const faultsOf = (files: Record<string, string>) => readGuides(files).faults
const json = JSON.stringify(facts)

test('a mistake in a content file is reported with its location', () => {
  assert.deepEqual(faultsOf({ 'a.json': json, 'a.en.md': whole, 'a.de.md': whole }), [])
  for (const [files, fault] of [
    [{ 'a.json': json, 'a.en.md': words('## End\n\nDone.') }, /guides\/a\.en\.md: A title needs a name/],
    [{ 'a.json': json, 'a.en.md': words('## End {#end}\n\nDone.') }, /has tiles for :::shopping, which the text lacks/],
    [{ 'a.json': json, 'a.en.md': whole.replace('- tiles', '- slabs') }, /names slabs, which the \.json lacks/],
    [{ 'a.json': json, 'a.en.md': whole.replace('Done.', '[x](guide:nowhere)') }, /there is no guide:nowhere/],
    [{ 'a.json': json, 'a.en.md': whole.replace('Done.', '[x](/p/x-1)') }, /Invalid format/],
    [{ 'a.json': json, 'a.en.md': whole.replace('Done.', '[x](page:nowhere)') }, /there is no page:nowhere/],
    [{ 'a.json': json, 'a.en.md': whole.replace('Done.', '<b>Done</b>') }, /cannot hold this/],
    [{ 'a.json': json, 'a.en.md': whole.replace('Done.', ':::tip\nDone.') }, /has no end/],
    [{ 'a.json': json, 'a.en.md': whole, 'a.de.md': whole.replace('{#end}', '{#ende}') }, /is built differently from en: "heading ende 2"/],
    [{ 'a.json': json.replace('"id":1', '"id":0'), 'a.en.md': whole }, /a\.json: id/],
    [{ 'a.json': json, 'a.en.md': whole, 'a.xx.md': whole }, /a\.xx\.md: a file is called/],
    [{ 'a.json': json, 'b.json': json }, /1 is the id of two entries/],
  ] as const)
    assert.match(faultsOf(files).join('\n'), fault)
})

test('an entry without one of the languages is reported', () => {
  const words = Object.fromEntries(['en', 'fr', 'de', 'it'].map((language) => [`a.${language}.md`, whole]))
  const { entries } = readGuides({ 'a.json': json, ...words })
  assert.deepEqual(languagesMissing(entries), ['guides/a.es.md is missing'])
})
