import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientFlags } from './client-flags.ts'
import { cancelAfterMs, startTag, type TagState } from './experiment-tag.ts'

const retrieved: ClientFlags = { status: 'retrieved', flagValuesMap: {}, campaignVariations: [] }
const run = async (load: () => Promise<ClientFlags>) => {
  const states: TagState[] = []
  const waits: number[] = []
  const flags = await startTag(
    load,
    (state) => states.push(state),
    async (ms) => {
      waits.push(ms)
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
  )
  return { states, waits, flags }
}

test('R-466 the experiment tag is initial, loading, then loaded', async () => {
  const { states, flags } = await run(async () => retrieved)
  assert.deepEqual([states, flags], [['initial', 'loading', 'loaded'], retrieved])
})

test('R-467 R-672 a tag absent for 8 s is cancelled, whether it never answers or is unavailable', async () => {
  assert.equal(cancelAfterMs, 8000)
  for (const load of [
    () => new Promise<ClientFlags>(() => undefined),
    async (): Promise<ClientFlags> => ({ ...retrieved, status: 'unavailable' }),
  ]) {
    const { states, waits, flags } = await run(load)
    assert.deepEqual([states, waits, flags], [['initial', 'loading', 'cancelled'], [8000], null])
  }
})
