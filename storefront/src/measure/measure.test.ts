import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { category, listing } from '../testing/goods.ts'
import { ensureBuilt } from '../server/build.ts'
import { pageOf } from '../testing/shop.ts'
import { withoutPreloads } from '@purlin/web/build.ts'
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

/** Parts of the script of every page, which load the others. */
const ofEveryPage = [
  'consent/consent.enhance.ts',
  'experiments/experiment.enhance.ts',
  'history/history.enhance.ts',
  'shell/flash.enhance.ts',
]
/** Scripts that a page loads by itself, once it is idle. */
const idle = ['consent/ask-consent.ts', 'consent/consented.ts']
/** Scripts that run when a visitor does something: adds to the basket, subscribes to push messages or ends it; and, where an operator has them reported, that of foreign scripts. Campaigns (330 bytes) are part of the menu's script. */
const onUse = ['history/show-added.ts', 'push/push-topics.island.tsx', 'push/subscribe-browser.ts', 'measure/foreign-scripts.ts']

const app = join(import.meta.dirname, '../..')

/** As shipped, with every script that they import and that pages do not have anyway. */
function shippedSizeOf(scripts: readonly string[]): number {
  const client = join(app, 'dist/client')
  const manifest = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; imports?: string[] }
  >
  const files = new Map<string, number>()
  const take = (name: string) => {
    const { file, imports = [] } = manifest[name] ?? assert.fail(name)
    // The page's own script, with the clients of session and API, and React with the design system.
    if (name === 'src/client.ts' || /jsx-runtime|hydrate/.test(file) || files.has(file)) return
    files.set(file, brotliCompressSync(readFileSync(join(client, file))).length)
    for (const each of imports) take(each)
  }
  for (const script of scripts) take(`src/${script}`)
  return [...files.values()].reduce((sum, size) => sum + size, 0)
}

/** Compressed size of these modules within the bundle that contains them. */
async function sizeInScript(files: readonly string[]): Promise<number> {
  const sizeOf = async (entries: readonly string[]) => {
    const entry = entries.map((file, n) => `import * as m${n} from ${JSON.stringify(join(app, 'src', file))};globalThis.m${n}=m${n}`)
    const plugin = {
      name: 'entry',
      resolveId: (id: string) => (id === 'entry' ? '\0entry' : null),
      // Where a shipped script has a name, this one has one as short.
      resolveDynamicImport: (id: unknown) => ({ id: `./${String(id).split('/').at(-1)}`, external: true }),
      load: (id: string) => (id === '\0entry' ? `${entry.join('\n')};import('./later.js')` : null),
    }
    const built = (await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [plugin, withoutPreloads],
      build: { write: false, target: 'baseline-widely-available', modulePreload: false, rolldownOptions: { input: 'entry' } },
    })) as Rolldown.RolldownOutput
    return brotliCompressSync(built.output[0].code).length
  }
  return (await sizeOf(files)) - (await sizeOf([]))
}

/** The part of the service worker that shows push messages. */
function pushOfWorker(): number {
  const worker = readFileSync(join(app, 'public/service-worker.js'), 'utf8')
  const from = worker.indexOf("self.addEventListener('push'")
  assert.ok(from > 0)
  return brotliCompressSync(worker.slice(from)).length
}

test('the scripts of consent, measuring, flags, experiments, history, attribution, messages and push that a page runs by itself are at most 12 KB as shipped, and those that run on use or by a flag 3.6', async () => {
  await ensureBuilt()
  const parts = [await sizeInScript(ofEveryPage), shippedSizeOf(idle)]
  const size = parts.reduce((sum, part) => sum + part, 0)
  assert.ok(size <= 12_288, `${parts.join(' and ')} bytes`)
  assert.ok(size > 10_000, 'they are in there')
  const used = shippedSizeOf([...idle, ...onUse]) - shippedSizeOf(idle) + pushOfWorker()
  assert.ok(used <= 3_600, `${used} bytes that run on use`)
})
