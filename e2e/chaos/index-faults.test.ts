import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSearchEngine } from '@purlin/search/index.ts'
import { seeded } from '../support/random.ts'
import { copyIndex, damageIndex, putBackIndex } from './index-faults.ts'

async function withIndex(work: (directory: string, copy: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'index-faults-'))
  try {
    const directory = join(folder, 'search')
    await writing(directory, async (engine) => {
      await engine.replaceAll('p', [product(1), product(2)], { searchableAttributes: ['title'] })
    })
    await work(directory, join(folder, 'copy'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Engine = Awaited<ReturnType<typeof openSearchEngine>>
async function writing<Value>(directory: string, work: (engine: Engine) => Promise<Value>): Promise<Value> {
  const engine = await openSearchEngine({ directory })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}
const product = (n: number) => ({ objectID: `p${n}`, title: `drill ${n}` })
const found = (directory: string) => writing(directory, async (engine) => (await engine.browse('p', { hitsPerPage: 10 })).hits.length)

test('F17 a damaged file of the index is one that its writer notices, and whatever is harmed the writer starts', async (context) => {
  context.mock.method(process, 'emitWarning', () => undefined)
  const random = seeded(3)
  let noticed = 0
  for (let round = 0; round < 6; round++)
    await withIndex(async (directory) => {
      assert.match(damageIndex(directory, random) ?? '', /^index-p\/\S+ (?:flipped|cut|lost)$/)
      noticed += await writing(directory, async (engine) => {
        const [index] = await engine.listIndexes()
        return index === undefined || index.isDamaged ? 1 : 0
      })
    })
  assert.ok(noticed >= 4, `${noticed} of 6`)
})

test('F17 an index that is put back is the one that was copied', async () => {
  await withIndex(async (directory, copy) => {
    assert.equal(putBackIndex(directory, copy), false)
    assert.equal(await found(directory), 2, 'without a copy nothing happens')
    copyIndex(directory, copy)
    await writing(directory, (engine) => engine.upsert('p', [product(3)]))
    assert.equal(await found(directory), 3)
    assert.equal(putBackIndex(directory, copy), true)
    assert.equal(await found(directory), 2)
  })
})
