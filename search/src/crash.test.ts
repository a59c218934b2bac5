import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSearchEngine, type SearchEngine } from './index.ts'
import { withFolder } from './testing/folders.ts'
import { applyToModel, changeAt, limits } from './testing/history.ts'
import { byPrice, facetCounts, hasWords, ordered, type Product } from './testing/model.ts'

const child = fileURLToPath(new URL('./testing/crash-child.ts', import.meta.url))

/** Lets the child write for a while, kills it, and says which change it last confirmed. */
function writeUntilKilled(directory: string, seed: number, from: number, afterMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const writer = spawn(process.execPath, [child, directory, String(seed), String(from)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    writer.stdout.on('data', (data: Buffer) => {
      if (output === '') setTimeout(() => writer.kill('SIGKILL'), afterMs)
      output += data.toString()
    })
    writer.on('error', reject)
    writer.on('close', () => {
      const confirmed = output
        .split('\n')
        .slice(0, -1)
        .filter((line) => line !== 'ready')
      resolve(confirmed.length === 0 ? from - 1 : Number(confirmed.at(-1)))
    })
  })
}

async function contents(engine: SearchEngine): Promise<unknown[]> {
  const { hits } = await engine.browse('p', { hitsPerPage: 1000 })
  return hits
}

test('killed at any moment of writing, flushing, merging or building, what was confirmed is there and answers are the model’s', async () => {
  for (let seed = 1; seed <= 4; seed++) {
    await withFolder(async (directory) => {
      const model = new Map<string, Product>()
      let done = 0
      // On a busy machine a child gets less far before it is killed.
      for (let round = 0; round < 6 || (done <= 20 && round < 60); round++) {
        const confirmed = await writeUntilKilled(directory, seed, done, 20 + ((seed * 7919 + round * 104729) % 400))
        const engine = await openSearchEngine({ directory, limits })
        while (done <= confirmed) applyToModel(model, changeAt(seed, done++))
        // The change under way when the process died either happened or did not.
        const found = await contents(engine)
        if (!isSame(found, model)) applyToModel(model, changeAt(seed, done++))
        assert.deepEqual(found, ordered([...model.values()], []), `seed ${seed}, round ${round}, after change ${done - 1}`)
        await checkAnswers(engine, model)
        await engine.close()
      }
      assert.ok(done > 20, `the child got through ${done} changes only`)
    })
  }
})

function isSame(found: unknown[], model: Map<string, Product>): boolean {
  return JSON.stringify(found) === JSON.stringify(ordered([...model.values()], []))
}

async function checkAnswers(engine: SearchEngine, model: Map<string, Product>): Promise<void> {
  const documents = [...model.values()]
  const all = await engine.search('p_price_asc', { query: '', facets: ['brand'], hitsPerPage: 500, attributesToHighlight: [] })
  assert.deepEqual(all.facets?.brand ?? {}, facetCounts(documents, 'brand'))
  assert.deepEqual(all.hits, ordered(documents, byPrice))
  const some = await engine.search('p', { query: 'drill saw', queryType: 'prefixNone', typoTolerance: false, hitsPerPage: 500 })
  assert.deepEqual(
    new Set(some.hits.map((hit) => hit.objectID)),
    new Set(documents.filter((one) => hasWords(one, ['drill', 'saw'])).map((one) => one.objectID)),
  )
}
