import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { parseAst } from 'vite'

/** Every regular expression of the product, with texts that are made to be slow: pieces of itself and of what people type, repeated. */

const root = join(import.meta.dirname, '..')
const folders = '{contract,search,server,services,storefront,ui,web}/src/**/*.{ts,tsx}'
/** As long as a long text of a visitor; time grows with the square of it in some, and would with the cube in a dangerous one. */
const length = 3000
const maxMs = 25

interface Pattern {
  file: string
  pattern: string
  flags: string
}

function patternsOf(file: string): Pattern[] {
  const found: Pattern[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && node.regex) found.push({ file, ...(node.regex as Omit<Pattern, 'file'>) })
    else for (const part of Object.values(node)) visit(part)
  }
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

const common = [
  'a',
  'A',
  '0',
  ' ',
  '-',
  '.',
  '@',
  '/',
  '_',
  '"',
  '<',
  '>',
  '=',
  ',',
  '\n',
  'é',
  'a0',
  'a ',
  'a-',
  '0,',
  '&#',
  '%2',
  '=a&',
  '\\',
  '([',
]

/** Milliseconds of the slowest text, by the best of three tries. */
function slowest({ pattern, flags }: Pattern): { ms: number; piece: string } {
  const own = pattern.replace(/\\[a-zA-Z]|[[\](){}|*+?^$.\\]/g, ' ').split(' ')
  let worst = { ms: 0, piece: '' }
  for (const piece of [...common, ...own.filter((text) => text !== '' && text.length < 12)])
    for (const end of ['\u0001', '']) {
      const text = piece.repeat(length / piece.length) + end
      const expression = new RegExp(pattern, flags.replace('y', ''))
      let ms = Infinity
      for (let tries = 0; tries < 3 && ms > maxMs; tries++) {
        const since = performance.now()
        if (flags.includes('g')) text.replaceAll(expression, '')
        else expression.test(text)
        ms = Math.min(ms, performance.now() - since)
      }
      if (ms > worst.ms) worst = { ms, piece }
    }
  return worst
}

if (isMainThread) {
  const patterns = globSync(folders, { cwd: root })
    .filter((file) => !/\.test\.|testing|test-|generated/.test(file))
    .flatMap(patternsOf)

  /** The expressions that take too long; one that never ends is stopped after two seconds. */
  const tooSlow = async (tried: readonly Pattern[]): Promise<string[]> => {
    const slow: string[] = []
    let at = 0
    while (at < tried.length) {
      const worker = new Worker(new URL(import.meta.url))
      try {
        while (at < tried.length) {
          const one = tried[at++]!
          const { promise, resolve } = Promise.withResolvers<{ ms: number; piece: string } | null>()
          worker.once('message', resolve)
          worker.postMessage(one)
          const timer = setTimeout(() => resolve(null), 2000)
          const took = await promise
          clearTimeout(timer)
          if (took === null || took.ms > maxMs) slow.push(`${one.file}: /${one.pattern}/${one.flags} ${JSON.stringify(took)}`)
          if (took === null) break
        }
      } finally {
        await worker.terminate()
      }
    }
    return slow
  }

  test(`A60 none of the product’s regular expressions takes more than ${maxMs} ms for ${length} characters`, async () => {
    assert.ok(patterns.length > 500, `${patterns.length} are found`)
    assert.deepEqual(await tooSlow(patterns), [])
  })

  for (const [what, pattern] of [
    ['with nested repetition', '^(a+)+$'],
    ['with alternatives that overlap', '^(a|a)*$'],
    ['with three repetitions of blanks', '^\\s*(.+?)\\s*=\\s*$'],
  ] as const)
    test(`A60 an expression ${what} is found`, async () => {
      assert.equal((await tooSlow([{ file: 'planted', pattern, flags: '' }])).length, 1)
    })
} else parentPort?.on('message', (pattern: Pattern) => parentPort?.postMessage(slowest(pattern)))
