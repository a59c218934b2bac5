import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSearchEngine, type SearchEngine } from '@purlin/search'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { productsIndex } from './document.ts'
import { handlers, jobs, rebuildDamaged } from './jobs.ts'
import { connectSearch } from './ports.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { testOffer, testProduct, testReference } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
for (const id of [1, 2, 3]) {
  await testProduct(db, { id })
  await testOffer(db, { id: id * 10, productId: id, price: 10_000 })
}
const directory = mkdtempSync(join(tmpdir(), 'repair-index-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** As the worker does at its start. */
async function startWriter(): Promise<{ engine: SearchEngine; damaged: string[] }> {
  const engine = await openSearchEngine({ directory })
  connectSearch(engine)
  return { engine, damaged: await rebuildDamaged(db) }
}
const entries = async (engine: SearchEngine) => (await engine.listIndexes()).find(({ name }) => name === productsIndex('gb'))?.entries

const first = await startWriter()
await rebuildIndex({ db, engine: first.engine })
await first.engine.close()

for (const [harm, file] of [
  ['a truncated segment', /\.bin$/],
  ['a truncated commit point', /^commit\.json$/],
] as const) {
  test(`V-86 ${harm} does not keep the worker from starting, and a job restores the index from the database`, async () => {
    const epochs = readdirSync(directory).flatMap((name) => Number(/^epoch-(\d+)$/.exec(name)?.[1] ?? []))
    const epoch = `epoch-${Math.max(...epochs)}`
    const index = join(directory, epoch, `index-${productsIndex('gb')}`)
    const path = readdirSync(index).find((name) => file.test(name) && !name.startsWith('translog')) ?? ''
    truncateSync(join(index, path), 20)

    const { engine, damaged } = await startWriter()
    assert.deepEqual(damaged, ['gb'])
    assert.notEqual(await entries(engine), 3)
    await runWork(database, handlers, jobs)
    assert.equal(await entries(engine), 3)
    assert.deepEqual(await rebuildDamaged(db), [])
    await engine.close()
    const next = await startWriter()
    assert.deepEqual([next.damaged, await entries(next.engine)], [[], 3])
    await next.engine.close()
  })
}
