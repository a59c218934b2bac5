import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parseAst } from 'vite'

/** Every regular expression of the product, with texts that are made to be slow: pieces of itself and of what people type, repeated. */

const root = join(import.meta.dirname, '..')
const folders = '{contract,search,server,services,storefront,ui,web}/src/**/*.{ts,tsx}'
/** As long as a long text of a visitor; time grows with the square of it in some, and would with the cube in a dangerous one. */
const length = 3000
const maxMs = 25
/** A square shows at this length: an expression that already takes noticeable time for a short text is tried with a long one, too. */
const long = { length: 20_000, maxMs: 300, triedFromMs: 1.5 }
/** Processor time of a text after which it is not expected to end. */
const endlessMs = 1000

/** Expressions whose text is never long, and the reason. */
const bounded: Record<string, string> = {
  'services/src/payment-provider/card-number.ts: ^\\s*(\\d{1,2})\\s*[/.\\- ]?\\s*(\\d{4}|\\d{2})\\s*$':
    'of the text 20 characters are read',
  'services/src/identity-provider/password.ts: =+$': 'the text is a hash of ours',
  'server/src/foundation/platform/production-profile.ts: @(?:[^>]*\\.)?purlin\\.example>?$': 'a setting',
  'server/src/foundation/platform/settings.ts: \\/+$': 'a setting',
  'server/src/foundation/platform/credit-settings.ts: \\/+$': 'a setting',
  'server/src/foundation/platform/sms-settings.ts: \\/+$': 'a setting',
  'server/src/foundation/platform/timeline.ts: ^\\s*--.*$': 'a file of ours',
  'server/src/after-sale/invoices/read-xml.ts: <[^>]*>|[^<]+': 'tests alone read with it what the shop wrote',
  'server/src/after-sale/invoices/read-xml.ts: ([\\w:]+)="([^"]*)"': 'tests alone read with it what the shop wrote',
}

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

/** Literal pieces of an expression, classes and quantifiers left out. */
const literals = (pattern: string): string[] =>
  pattern
    .replace(/\\[a-zA-Z]|[[\](){}|*+?^$.\\]/g, ' ')
    .split(' ')
    .filter((text) => text !== '' && text.length < 12)

interface Slowest {
  ms: number
  text: string
}

/** How many texts were tried: the main thread stops one that never ends. */
const progress = workerData instanceof Int32Array ? workerData : new Int32Array(new SharedArrayBuffer(4))

/** Milliseconds of this thread's processor time for a text: the best of three tries. */
function timeOf(expression: RegExp, text: string, enoughMs: number): number {
  let ms = Infinity
  for (let tries = 0; tries < 3 && ms > enoughMs; tries++) {
    const since = process.threadCpuUsage()
    if (expression.global) text.replaceAll(expression, '')
    else expression.test(text)
    const { user, system } = process.threadCpuUsage(since)
    ms = Math.min(ms, (user + system) / 1000)
    Atomics.add(progress, 0, 1)
  }
  return ms
}

/** The slowest text: each piece repeated, also after a literal with which the expression may have to begin. */
function slowest({ pattern, flags }: Pattern): Slowest {
  const expression = new RegExp(pattern, flags.replace('y', ''))
  const own = [...new Set(literals(pattern))]
  let worst: Slowest & { triedWith: (length: number) => string } = { ms: 0, text: '', triedWith: () => '' }
  for (const before of ['', ...own.slice(0, 6)])
    for (const piece of new Set([...common, ...own]))
      for (const end of ['\u0001', '']) {
        const textOf = (chars: number) => before + piece.repeat(chars / piece.length) + end
        const ms = timeOf(expression, textOf(length), long.triedFromMs)
        if (ms > worst.ms) worst = { ms, text: before + piece, triedWith: textOf }
      }
  if (worst.ms > maxMs || worst.ms < long.triedFromMs) return { ms: worst.ms, text: worst.text }
  // One that is tried at a single position is not tried at each.
  const ms = timeOf(flags.includes('y') ? new RegExp(pattern, flags) : expression, worst.triedWith(long.length), long.maxMs)
  return ms > long.maxMs ? { ms, text: `${worst.text} (long)` } : { ms: worst.ms, text: worst.text }
}

if (isMainThread) {
  const patterns = globSync(folders, { cwd: root })
    .filter((file) => !/\.test\.|testing|test-|generated/.test(file))
    .flatMap(patternsOf)
  const keyOf = ({ file, pattern }: Pattern) => `${file}: ${pattern}`

  /** The expressions that take too long; one that does not end is stopped. */
  const tooSlow = async (all: readonly Pattern[]): Promise<string[]> => {
    const slow: string[] = []
    let at = 0
    while (at < all.length) {
      const tried = new Int32Array(new SharedArrayBuffer(4))
      const worker = new Worker(new URL(import.meta.url), { workerData: tried })
      try {
        while (at < all.length) {
          const one = all[at++]!
          const { promise, resolve } = Promise.withResolvers<Slowest | null>()
          worker.once('message', resolve)
          worker.postMessage(one)
          let [last, since] = [-1, process.cpuUsage()]
          const timer = setInterval(() => {
            const now = Atomics.load(tried, 0)
            const { user, system } = process.cpuUsage(since)
            if (now !== last) [last, since] = [now, process.cpuUsage()]
            else if (user + system > endlessMs * 1000) resolve(null)
          }, 100)
          const took = await promise
          clearInterval(timer)
          if (took === null || took.ms > maxMs) slow.push(`${one.file}: /${one.pattern}/${one.flags} ${JSON.stringify(took)}`)
          if (took === null) break
        }
      } finally {
        await worker.terminate()
      }
    }
    return slow
  }

  test(`A60 none of the product’s regular expressions takes more than ${maxMs} ms for ${length} characters, or ${long.maxMs} for ${long.length}`, async () => {
    assert.ok(patterns.length > 500, `${patterns.length} are found`)
    assert.deepEqual(
      Object.keys(bounded).filter((key) => !patterns.some((each) => keyOf(each) === key)),
      [],
      'reasons for expressions that are gone',
    )
    assert.deepEqual(await tooSlow(patterns.filter((each) => bounded[keyOf(each)] === undefined)), [])
  })

  for (const [what, pattern] of [
    ['with nested repetition', '^(a+)+$'],
    ['with alternatives that overlap', '^(a|a)*$'],
    ['with three repetitions of blanks', '^\\s*(.+?)\\s*=\\s*$'],
    ['that is slow only after its own beginning', '^begin:(a+)+$'],
    ['that takes the square of a long text', '(?:a|b)+c$'],
  ] as const)
    test(`A60 an expression ${what} is found`, async () => {
      assert.equal((await tooSlow([{ file: 'planted', pattern, flags: '' }])).length, 1)
    })
} else parentPort?.on('message', (pattern: Pattern) => parentPort?.postMessage(slowest(pattern)))
