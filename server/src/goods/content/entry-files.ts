import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { linksOf, namesMissing } from './check-entry.ts'
import { entryFolders, entryKinds, factsInput, nameInput, type EntryFacts, type EntryKind, type EntryText } from './entry.ts'
import { parseEntryText } from './parse-entry-text.ts'
import { isTextPage } from './text.ts'

/** An entry on disk: `guides/<key>.json`, and `guides/<key>.<language>.md` for each language. */
export interface EntryFile {
  kind: EntryKind
  key: string
  facts: EntryFacts
  texts: Partial<Record<Language, EntryText>>
}

/** All entries below a folder, and one sentence for each mistake in them. */
export function readEntryFiles(folder: string): { entries: EntryFile[]; faults: string[] } {
  const entries: EntryFile[] = []
  const faults: string[] = []
  for (const kind of entryKinds) {
    const below = join(folder, entryFolders[kind])
    const names = existsSync(below) ? readdirSync(below).toSorted() : []
    const keys = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
    for (const name of names) {
      const [key = '', language, ending] = name.split('.')
      const isText = ending === 'md' && languages.some((known) => known === language)
      if (name.endsWith('.json') ? !v.is(nameInput, key) : !isText || !keys.includes(key))
        faults.push(`${entryFolders[kind]}/${name}: a file is called <key>.json or <key>.<language>.md, and a text belongs to a .json`)
    }
    for (const key of keys) {
      const entry = readEntry(below, kind, key, names, faults)
      if (entry) entries.push(entry)
    }
  }
  return { entries, faults: [...faults, ...faultsBetween(entries)] }
}

function readEntry(below: string, kind: EntryKind, key: string, names: readonly string[], faults: string[]): EntryFile | null {
  const attempt = <T>(name: string, read: (source: string) => T): T | undefined => {
    try {
      return read(readFileSync(join(below, name), 'utf8'))
    } catch (error) {
      faults.push(`${entryFolders[kind]}/${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const facts = attempt(`${key}.json`, (source) => {
    const read = v.safeParse(factsInput, JSON.parse(source))
    if (!read.success) throw new Error(read.issues.map((issue) => `${v.getDotPath(issue) ?? 'facts'}: ${issue.message}`).join('; '))
    return read.output
  })
  const texts: EntryFile['texts'] = {}
  for (const language of languages) {
    const name = `${key}.${language}.md`
    const text = names.includes(name) ? attempt(name, (source) => parseEntryText(source, language)) : undefined
    if (text) texts[language] = text
  }
  return facts ? { kind, key, facts, texts } : null
}

/** Mistakes within one entry: texts without facts, facts without texts, languages with different structures. */
export function faultsWithin({ kind, key, facts, texts }: EntryFile): string[] {
  const place = (language: string) => `${entryFolders[kind]}/${key}.${language}.md`
  const written = Object.entries(texts)
  const [first] = written
  return written.flatMap(([language, text]) => [
    ...namesMissing(facts, text).map((fault) => `${place(language)}: ${fault}`),
    ...(first && buildOf(text).join('\n') !== buildOf(first[1]).join('\n')
      ? [`${place(language)}: ${firstDifference(buildOf(text), buildOf(first[1]), first[0])}`]
      : []),
  ])
}

/** The structure of a text, which must be the same in every language: kinds of blocks, names and table sizes, regardless of wording. */
export function buildOf({ blocks }: EntryText): string[] {
  const lines = blocks.flatMap((block) => [
    [block.kind, block.id ?? '', block.level ?? '', block.rows.length > 0 ? `${block.rows.length}×${block.rows[0]?.cells.length}` : '']
      .filter(String)
      .join(' '),
    ...block.parts.flatMap((part) => [`  ${part.id}`, ...part.blocks.map(({ kind }) => `    ${kind}`)]),
  ])
  // Whether a text is one paragraph or two depends on the language.
  return lines.filter((line, index) => line.trim() !== 'paragraph' || lines[index - 1] !== line)
}

function firstDifference(one: readonly string[], other: readonly string[], language: string): string {
  const at = one.findIndex((line, index) => line !== other[index])
  const index = at < 0 ? one.length : at
  return `is built differently from ${language}: "${one[index]?.trim() ?? 'the end'}" here, "${other[index]?.trim() ?? 'the end'}" there`
}

/** Mistakes across all entries: duplicate numbers, links to missing entries, unknown calculators. */
function faultsBetween(entries: readonly EntryFile[]): string[] {
  const names = new Set(entries.map(({ kind, key }) => `${kind}:${key}`))
  const faults = entries.flatMap(faultsWithin)
  for (const kind of entryKinds) {
    const ids = entries.filter((entry) => entry.kind === kind).map(({ facts }) => facts.id)
    for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index)))
      faults.push(`${entryFolders[kind]}: ${id} is the id of two entries`)
    const slugs = entries
      .filter((entry) => entry.kind === kind)
      .flatMap(({ key, facts }) => [...new Set([key, ...Object.values(facts.slugs ?? {})])])
    for (const slug of new Set(slugs.filter((one, index) => slugs.indexOf(one) !== index)))
      faults.push(`${entryFolders[kind]}: ${slug} is the address of two entries`)
  }
  for (const { kind, key, facts, texts } of entries) {
    const place = `${entryFolders[kind]}/${key}`
    const linked = Object.values(texts).flatMap(({ blocks }) => linksOf(blocks))
    for (const name of new Set([
      ...facts.related,
      ...linked.filter((to) => /^(guide|comparison|project|landing|promo|help|trade|industry|family):/.test(to)),
    ]))
      if (!names.has(name)) faults.push(`${place}: there is no ${name}`)
    for (const to of new Set(linked.filter((one) => one.startsWith('page:'))))
      if (!isTextPage(to.slice('page:'.length).split('#')[0] ?? '')) faults.push(`${place}: there is no ${to}`)
    for (const { need } of facts.shopping)
      if (need && !Object.hasOwn(facts.calculators, need.calculator))
        faults.push(`${place}.json: there is no calculator ${need.calculator}`)
  }
  return faults
}

/** Entries that lack a language. */
export function languagesMissing(entries: readonly EntryFile[]): string[] {
  return entries.flatMap(({ kind, key, texts }) =>
    languages.filter((language) => !texts[language]).map((language) => `${entryFolders[kind]}/${key}.${language}.md is missing`),
  )
}
