import assert from 'node:assert/strict'
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

const scripts = [
  'consent/consent.enhance.ts',
  'measure/measure.ts',
  'experiments/experiment.enhance.ts',
  'history/history.enhance.ts',
  'listing/list-choices.ts',
  'referer/referer.enhance.ts',
  'push/push-prompt.ts',
]

/** Clients of the session and of the API are part of every page, whoever agrees to whatever, and have a limit of their own. */
const shared = /\/(?:session|pro)\/|\/shell\/show-flash/

/** As shipped: minified, compressed, with everything used but what is shared. */
async function sizeOf(...files: string[]): Promise<number> {
  const entry = files.map(
    (file, n) => `import * as m${n} from ${JSON.stringify(join(import.meta.dirname, '..', file))};globalThis.m${n}=m${n}`,
  )
  const plugin = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' || id === 'later' ? `\0${id}` : null),
    load: (id: string) => (id === '\0entry' ? `${entry.join('\n')};import('later')` : id === '\0later' ? 'export {}' : null),
  }
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    build: {
      write: false,
      target: 'baseline-widely-available',
      modulePreload: false,
      rolldownOptions: { input: 'entry', external: (id) => shared.test(id) },
    },
  })) as Rolldown.RolldownOutput
  return built.output.reduce((sum, part) => sum + (part.type === 'chunk' ? brotliCompressSync(part.code).length : 0), 0)
}

test('all scripts of consent, measuring, flags, experiments, history, attribution and push are at most 12 KB', async () => {
  // The loader of late scripts is part of every page.
  const loader = await sizeOf()
  const size = (await sizeOf(...scripts)) - loader
  assert.ok(size <= 12_288, `${size} bytes`)
  assert.ok(size > 8_000, 'they are in there')
})
