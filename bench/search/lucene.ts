import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, globSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { SearchDocument, SearchParams } from '../../search/src/index.ts'
import { fields, text, valuesOf } from './others.ts'

/** Lucene in a process of its own, with the index of the same documents. */
export interface Lucene {
  /**
   * Milliseconds of the search and of writing its JSON, measured in Lucene's process; the JSON stays there. Documents are read from
   * stored fields, or taken from the heap once it has them all.
   */
  time(params: SearchParams, from: 'stored fields' | 'heap'): Promise<number>
  /** The JSON itself. */
  ask(params: SearchParams): Promise<string>
  close(): Promise<void>
}

/** Debian's `liblucene8-java`, whatever its minor version. */
const jars = '/usr/share/java/lucene-{core,analyzers-common,grouping}-8*.jar'
const source = new URL('./lucene/ShopSearch.java', import.meta.url).pathname
/** A heap in which everything fits; one thread searches, so none collects garbage next to it. */
const javaFlags = ['-Xms2g', '-Xmx2g', '-XX:+UseSerialGC']
const filters = ['storefronts', 'brandName', 'inStock']

/** Compiles the program and indexes the documents. Returns null, and says why, where Java or Lucene is not installed. */
export async function openLucene(documents: readonly SearchDocument[], facets: readonly string[]): Promise<Lucene | null> {
  const found = globSync(jars)
  if (found.length === 0) return unavailable('liblucene8-java is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'bench-lucene-'))
  const discard = () => rmSync(folder, { recursive: true, force: true })
  try {
    await promisify(execFile)('javac', ['-cp', found.join(':'), '-d', join(folder, 'classes'), source])
  } catch (error) {
    discard()
    if ((error as { code?: unknown }).code === 'ENOENT') return unavailable('no javac, see default-jdk-headless')
    throw error
  }
  const file = join(folder, 'documents')
  writeDocuments(file, documents, [...new Set([...filters, ...facets])])
  const path = [join(folder, 'classes'), ...found].join(':')
  const child = spawn('java', [...javaFlags, '-cp', path, 'ShopSearch', file, join(folder, 'index')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const answers = createInterface({ input: child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]()
  const hear = async (): Promise<string> => {
    const line = await answers.next()
    if (line.done === true) throw new Error('Lucene ended')
    return line.value
  }
  async function close(): Promise<void> {
    child.stdin.end()
    await ended
    discard()
  }
  const indexed = await hear()
  if (Number(indexed) !== documents.length) {
    await close()
    throw new Error(`Lucene has ${indexed} of ${documents.length} documents`)
  }
  const send = (lines: readonly string[]) => {
    child.stdin.write(`${lines.join('\n')}\n\n`)
    return hear()
  }
  return {
    time: async (params, from) => Number((await send([...linesOf(params), ...(from === 'heap' ? ['h'] : [])])).trim()) / 1e6,
    async ask(params) {
      const line = await send([...linesOf(params), 'a'])
      return line.slice(line.indexOf('\t') + 1)
    },
    close,
  }
}

function unavailable(why: string): null {
  process.stderr.write(`search: without Lucene: ${why}\n`)
  return null
}

const oneLine = (value: string) => value.replace(/\s+/g, ' ')

/** Documents of a model follow each other, those of a category as well, as the engine arranges them. */
function writeDocuments(path: string, documents: readonly SearchDocument[], facets: readonly string[]): void {
  const place = (of: readonly SearchDocument[]) => valuesOf(of[0]!, 'categories.lvl2')[0] ?? ''
  const groups = [...Map.groupBy(documents, (document) => text(document, 'groupId')).values()].toSorted((a, b) =>
    place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0,
  )
  const file = openSync(path, 'w')
  for (const document of groups.flat()) {
    const lines = [
      `g\t${text(document, 'groupId')}`,
      `j\t${JSON.stringify(document)}`,
      `n\tprice_b2c\t${Number(document['price_b2c'] ?? 0)}`,
      ...fields.map((name) => `t\t${name}\t${oneLine(text(document, name))}`),
      ...facets.flatMap((name) => [...new Set(valuesOf(document, name))].map((value) => `f\t${name}\t${oneLine(value)}`)),
    ]
    writeSync(file, `${lines.join('\n')}\n\n`)
  }
  closeSync(file)
}

/** A query of the shop; whatever this does not know is refused rather than left out. */
function linesOf({ query = '', facetFilters, numericFilters, facets, filters: expression, ...rest }: SearchParams): string[] {
  if (expression || rest.optionalFilters?.length || rest.page || rest.hitsPerPage !== 48)
    throw new Error('the query has more than Lucene is asked')
  const ranges = new Map<string, { low: number; high: number }>()
  for (const condition of (numericFilters ?? []) as string[]) {
    const [, name, sign, value] = /^(\S+) (>=|<=) (\S+)$/.exec(condition)!
    const range = ranges.get(name!) ?? { low: -1e12, high: 1e12 }
    ranges.set(name!, sign === '>=' ? { ...range, low: Number(value) } : { ...range, high: Number(value) })
  }
  const conditions = ((facetFilters ?? []) as string[][]).map((alternatives) => {
    const pairs = alternatives.map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)] as const)
    return `f\t${pairs[0]![0]}\t${pairs.map(([, value]) => value).join('\t')}`
  })
  return [
    `q\t${oneLine(query)}`,
    ...conditions,
    ...[...ranges].map(([name, { low, high }]) => `r\t${name}\t${low}\t${high}`),
    ...((facets ?? []) as string[]).map((name) => `c\t${name}`),
  ]
}
