import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { schemaOf } from './segment/schema.ts'
import { unpack } from './segment/segment-format.ts'
import { segmentWriter } from './segment/segment-writer.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

test('V-61 every file the README of the package names is there', () => {
  const named = [...read('../README.md').matchAll(/`([a-z][\w-]*\/[\w-]+\.ts)`/g)].map(([, path = '']) => path)
  assert.ok(named.length > 30)
  for (const path of named) assert.ok(existsSync(new URL(path, import.meta.url)), path)
})

test('V-61 the documentation of the file format names every section of a segment', () => {
  const settings = {
    language: 'de' as const,
    searchableAttributes: ['title'],
    exactAttributes: ['ean'],
    attributesForFaceting: ['brand', 'tags', 'price', 'sizes'],
    sorts: { price_asc: 'asc(price)' },
  }
  const writer = segmentWriter(schemaOf(settings), { write: () => undefined })
  for (let at = 0; at < 6_000; at++) {
    const tags = [`t${at % 3}`, `u${at % 5}`]
    writer.add({
      objectID: `${at}`,
      title: 'Akkuschrauber Akku',
      ean: `12345${at}`,
      brand: `b${at % 9}`,
      tags,
      price: at % 7,
      sizes: [at % 2, 5],
    })
  }
  const { sections } = unpack(writer.seal())
  const generic = (name: string) => name.replace(/^([cs])\d+/, '$1N')
  const format = read('../FORMAT.md')
  const isNamed = (name: string) => {
    const [table, part] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.'))]
    return format.includes(`\`${name}\``) || format.includes(`\`${part}\``) || (table !== '' && format.includes(`\`${table}.*\``))
  }
  assert.ok(sections.length > 40)
  for (const name of new Set(sections.map(generic))) assert.ok(isNamed(name), name)
})

test('V-61 every method of an engine says what it does', () => {
  const { body } = /export interface SearchEngine \{(?<body>[\s\S]*?)\n\}/.exec(read('types.ts'))?.groups ?? {}
  const lines = (body ?? '').split('\n')
  const methods = lines.flatMap((line, at) => (/^ {2}\w+\??\(/.test(line) ? [{ line, above: lines[at - 1] ?? '' }] : []))
  assert.ok(methods.length > 15)
  for (const { line, above } of methods) assert.match(above, /\*\/$/, line)
})
