import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { category, listing } from '../testing/goods.ts'
import { pageOf } from '../testing/shop.ts'
import { keepSlowest, maxInteractions, type Interaction } from './interactions.ts'

test('R-403 a page names itself, its kind, its status, and the data its load gives about this view and beyond', async () => {
  const html = async (data: Record<string, unknown>, path: string) =>
    (/<html[^>]*>/.exec((await pageOf(data, path)).body) ?? [''])[0].replaceAll('&#34;', '"')
  const shown = await html({ category: category({ id: 4 }), listing: listing({ total: 12 }), guides: [] }, '/drills-4')
  assert.match(shown, /data-page="category" data-page-type="category"/)
  assert.match(shown, /data-view="results=12"/)
  assert.match(shown, /data-custom="categoryId=4"/)
  assert.doesNotMatch(shown, /data-status/, '200 goes without saying')
  assert.match(await html({}, '/no/such/page'), /data-page-type="error" data-status="404"/)
})

test('R-676 R-715 the ten slowest interactions of a page view are kept, each by its slowest event', () => {
  const one = (id: number, duration: number): Interaction => ({ id, duration, startTime: 0, type: 'click', target: 'button' })
  let kept: Interaction[] = []
  for (let n = 1; n <= 25; n++) kept = keepSlowest(kept, one(n, n * 10))
  kept = keepSlowest(kept, one(20, 900))
  kept = keepSlowest(kept, one(20, 40))
  assert.equal(kept.length, maxInteractions)
  assert.deepEqual(
    kept.map(({ id, duration }) => [id, duration]),
    [
      [20, 900],
      [25, 250],
      [24, 240],
      [23, 230],
      [22, 220],
      [21, 210],
      [19, 190],
      [18, 180],
      [17, 170],
      [16, 160],
    ],
  )
})

/** Scripts that a page runs by itself, once it is idle. */
const idle = [
  'consent/consent.enhance.ts',
  'measure/measure.ts',
  'experiments/experiment.enhance.ts',
  'history/history.enhance.ts',
  'listing/list-choices.ts',
  'referer/referer.ts',
  'push/push-prompt.ts',
  'shell/flash.enhance.ts',
]
/** Scripts that run when a visitor does something: adds to the basket, opens the menu, subscribes to push messages or ends it. */
const onUse = [
  'history/show-added.ts',
  'shell/menu-campaigns.ts',
  'push/push-topics.island.tsx',
  'push/subscribe-browser.ts',
  'push/end-push.ts',
]

/**
 * Parts of pages without any of this: React and the design system, the words, the clients of session and API, which have a limit of their
 * own (session/size.test.ts). Everything else counts.
 */
const shared = /^(?:react|react-dom)(?:\/|$)|^@purlin\/(?:ui|words)|\/session\//

/** As shipped: minified, compressed, with everything used but what is shared. */
async function sizeOf(files: readonly string[], without: readonly string[] = []): Promise<number> {
  const entry = ['named', ...files.map((file) => join(import.meta.dirname, '..', file))].map(
    (file, n) => `import * as m${n} from ${JSON.stringify(file)};globalThis.m${n}=m${n}`,
  )
  const plugin = {
    name: 'entry',
    enforce: 'pre' as const,
    resolveId: (id: string) => {
      if (['entry', 'later', 'named'].includes(id)) return `\0${id}`
      // By a name as short as those of shipped files.
      return shared.test(id) ? { id: `./${id.split('/').at(-1)}`, external: true } : null
    },
    load: (id: string) =>
      id === '\0entry' ? `${entry.join('\n')};import('later')` : /^\0(?:later|named)$/.test(id) ? 'export const one = 1' : null,
  }
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    build: {
      write: false,
      target: 'baseline-widely-available',
      modulePreload: false,
      rolldownOptions: {
        input: 'entry',
        external: (id) => without.some((file) => id.endsWith(file.replace(/.*\//, '/'))),
      },
    },
  })) as Rolldown.RolldownOutput
  return built.output.reduce((sum, part) => sum + (part.type === 'chunk' ? brotliCompressSync(part.code).length : 0), 0)
}

/** The part of the service worker that shows push messages. */
function pushOfWorker(): number {
  const worker = readFileSync(join(import.meta.dirname, '../../public/service-worker.js'), 'utf8')
  const from = worker.indexOf("self.addEventListener('push'")
  assert.ok(from > 0)
  return brotliCompressSync(worker.slice(from)).length
}

test('the scripts of consent, measuring, flags, experiments, history, attribution, messages and push that a page runs by itself are at most 12.4 KB', async () => {
  // The loader of late scripts is part of every page.
  const size = (await sizeOf(idle, onUse)) - (await sizeOf([]))
  assert.ok(size <= 12_700, `${size} bytes`)
  assert.ok(size > 10_000, 'they are in there')
})

test('with those that run on use, and the push messages of the service worker, they are at most 14.3 KB', async () => {
  const size = (await sizeOf([...idle, ...onUse])) - (await sizeOf([])) + pushOfWorker()
  assert.ok(size <= 14_640, `${size} bytes`)
})
