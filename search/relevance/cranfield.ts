import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearchEngine, type SearchDocument } from '../src/index.ts'

/**
 * nDCG@10 on the Cranfield collection: `node search/relevance/cranfield.ts FOLDER [--typos]`.
 * FOLDER contains cran.all.1400, cran.qry and cranqrel; with --typos, one word of each query is misspelled.
 */

/** Text after each `.X` marker of a file in the collection's format. */
function readEntries(path: string): Record<string, string>[] {
  return readFileSync(path, 'utf8')
    .split(/^\.I /m)
    .slice(1)
    .map((entry) => {
      const [, ...pieces] = entry.split(/^\.([A-Z])\s*$/m)
      const fields: Record<string, string> = { I: entry.slice(0, entry.indexOf('\n')).trim() }
      for (let i = 0; i < pieces.length; i += 2) fields[pieces[i]!] = (pieces[i + 1] ?? '').trim()
      return fields
    })
}

/** Judgements 1 (best) to 4 become gains 4 to 1; others count as zero. */
function readJudgements(path: string): Map<number, Map<string, number>> {
  const judgements = new Map<number, Map<string, number>>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [query, document, grade] = line.trim().split(/\s+/).map(Number)
    if (!query || !document || !grade || grade < 1 || grade > 4) continue
    const of = judgements.get(query) ?? new Map<string, number>()
    judgements.set(query, of.set(String(document), 5 - grade))
  }
  return judgements
}

export function ndcg10(ranked: readonly string[], gains: ReadonlyMap<string, number>): number {
  const discount = (gain: number, place: number) => gain / Math.log2(place + 2)
  const got = ranked.slice(0, 10).reduce((sum, id, place) => sum + discount(gains.get(id) ?? 0, place), 0)
  const best = [...gains.values()]
    .sort((x, y) => y - x)
    .slice(0, 10)
    .reduce((sum, gain, place) => sum + discount(gain, place), 0)
  return best === 0 ? 0 : got / best
}

/** One edit in the longest word of a query, determined by the query's number. */
export function misspell(query: string, number: number): string {
  const longest = query.split(/\W+/).reduce((best, word) => (word.length > best.length ? word : best), '')
  const at = 1 + (number % Math.max(1, longest.length - 2))
  const edited = [
    longest.slice(0, at) + longest.slice(at + 1),
    longest.slice(0, at) + longest[at + 1] + longest[at] + longest.slice(at + 2),
    longest.slice(0, at) + longest[at] + longest.slice(at),
    `${longest.slice(0, at)}x${longest.slice(at + 1)}`,
  ][number % 4]!
  return query.replace(longest, edited)
}

export async function measureCranfield(folder: string, withTypos: boolean): Promise<{ ndcg10: number; queries: number }> {
  const documents = readEntries(join(folder, 'cran.all.1400')).map(({ I, T, W }): SearchDocument => ({
    objectID: I!,
    title: T ?? '',
    body: W ?? '',
  }))
  const queries = readEntries(join(folder, 'cran.qry'))
  const judgements = readJudgements(join(folder, 'cranqrel'))
  const directory = mkdtempSync(join(tmpdir(), 'cranfield-'))
  const engine = await openSearchEngine({ directory })
  try {
    await engine.replaceAll('cranfield', documents, { language: 'en', searchableAttributes: ['title', 'body'] })
    let sum = 0
    for (const [index, entry] of queries.entries()) {
      const text = entry.W!.replace(/\s+/g, ' ')
      const query = (withTypos ? misspell(text, index) : text).slice(0, 512)
      const { hits } = await engine.search('cranfield', {
        query,
        optionalWords: query,
        hitsPerPage: 10,
        queryType: 'prefixNone',
        attributesToHighlight: [],
      })
      sum += ndcg10(
        hits.map((hit) => hit.objectID),
        judgements.get(index + 1) ?? new Map(),
      )
    }
    return { ndcg10: Math.round((sum / queries.length) * 10_000) / 10_000, queries: queries.length }
  } finally {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { typos: { type: 'boolean', default: false } } })
  if (!positionals[0]) {
    process.stderr.write('node search/relevance/cranfield.ts FOLDER [--typos]\n')
    process.exit(2)
  }
  process.stdout.write(`${JSON.stringify(await measureCranfield(positionals[0], values.typos))}\n`)
}
