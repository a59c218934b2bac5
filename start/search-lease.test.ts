import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSearchEngine } from '@purlin/search/engine.ts'
import { ownIdentity } from '@purlin/search/index/process-identity.ts'
import { takeLease } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { searchLease } from './search-lease.ts'

const directory = mkdtempSync(join(tmpdir(), 'search-lease-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const never = 1_000_000
const request = { directory, above: 0 }

test('V-90: of workers on any machines one gets the lease, and the others learn the holder', async () => {
  const { pool } = await testDatabase()
  const lease = searchLease(pool, { waitMs: 0 })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => lease.acquire(request)))
  const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  assert.equal(held.length, 1)
  assert.equal(refused.length, 5)
  for (const { name, message } of refused) {
    assert.equal(name, 'WriterLeaseHeldError')
    assert.match(message, new RegExp(`process ${process.pid} on `))
  }
  await held[0]!.release()
  const next = await lease.acquire(request)
  assert.ok(next.epoch > held[0]!.epoch)
  assert.equal((await lease.acquire(request).catch((error: Error) => error.name)) as unknown, 'WriterLeaseHeldError')
  await next.release()
})

test('V-61: a worker frozen past its lease commits nothing once another has taken over', async () => {
  const { pool } = await testDatabase()
  const settings = { searchableAttributes: ['title'] }
  let isTold = false
  const first = await openSearchEngine({
    directory,
    // No heartbeat, as in a frozen process.
    lease: searchLease(pool, { heartbeatMs: never, ttlMs: 300, waitMs: 0 }),
    onLeaseLost: () => (isTold = true),
  })
  await first.replaceAll('p', [{ objectID: 'a', title: 'drill' }], settings)
  const second = await openSearchEngine({ directory, lease: searchLease(pool, { heartbeatMs: 50 }) })
  await assert.rejects(first.setSettings('p', { ...settings, hitsPerPage: 1 }), { name: 'WriterFencedError' })
  await assert.rejects(first.upsert('p', [{ objectID: 'b', title: 'saw' }]), { name: 'WriterFencedError' })
  assert.ok(isTold)
  await first.close()
  assert.deepEqual((await second.search('p', { query: '', attributesToHighlight: [] })).hits, [{ objectID: 'a', title: 'drill' }])
  await second.upsert('p', [{ objectID: 'c', title: 'saw' }])
  await second.close()
})

test('V-90: a worker killed on this machine is replaced at once, a worker on another machine when its lease has expired', async () => {
  const { pool } = await testDatabase()
  const own = ownIdentity()
  const claim = { name: 'search-index', ttlMs: 700, above: 0 }
  await takeLease(pool.db, { ...claim, ttlMs: never, holder: { ...own, startedAt: '1' } })
  const here = await searchLease(pool, { waitMs: 0 }).acquire(request)
  assert.equal(here.epoch, 2)
  await here.release()
  await takeLease(pool.db, { ...claim, holder: { ...own, boot: 'another machine' } })
  await assert.rejects(searchLease(pool, { waitMs: 0 }).acquire(request), { name: 'WriterLeaseHeldError' })
  const elsewhere = await searchLease(pool, { waitMs: 5_000 }).acquire({ directory, above: 40 })
  assert.equal(elsewhere.epoch, 41, 'above what the directory has seen')
  await elsewhere.release()
})
