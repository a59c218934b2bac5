import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { startWorker } from '../../edges/worker/worker.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { jobs } from './jobs.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { testBrowser, type TestBrowser } from './testing.ts'

/** The end of the identity provider's session, within the request that signs out and after it. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)

afterEach(async () => {
  provider.mood = 'well'
  await database.pool.query(`delete from platform.job where name = 'auth.revoke'`)
})

async function signedIn(): Promise<TestBrowser> {
  const one = testBrowser(gateway)
  await one.signIn()
  return one
}
const jobsLeft = async () => (await database.pool.query(`select 1 from platform.job where name = 'auth.revoke'`)).rows.length
/** The worker waits a few seconds for the request. */
async function laterWork(): Promise<void> {
  await database.pool.query(`update platform.job set run_at = now() where name = 'auth.revoke'`)
  await runWork(database, [], jobs)
}
const endings = () => provider.calls['logout'] ?? 0

const ways: [string, (one: TestBrowser) => Promise<unknown>][] = [
  ['signout', async (one) => one.post('/api/auth/signout', { csrfToken: await one.csrfToken(), callbackUrl: '/', json: 'true' })],
  ['logout', (one) => one.post('/api/v1/logout', {})],
  ['logout without a redirect', (one) => one.post('/api/v1/logout', { no_redirect: 'true' })],
]
for (const [name, signOut] of ways)
  test(`A38: when ${name} is answered, the provider’s session has ended, and nothing is left to the worker`, async () => {
    provider.person = somebody()
    const one = await signedIn()
    const [revoked, calls] = [provider.revoked.size, endings()]
    await signOut(one)
    assert.equal(provider.revoked.size, revoked + 1)
    assert.equal(await jobsLeft(), 0)
    await runWork(database, [], jobs)
    assert.equal(endings(), calls + 1)
  })

test('A38: when the sign-out of all devices is answered, the provider’s session of each has ended', async () => {
  provider.person = somebody()
  const [phone] = [await signedIn(), await signedIn(), await signedIn()]
  const revoked = provider.revoked.size
  await phone.post('/api/v1/logout', { no_redirect: 'true', everywhere: 'true' })
  assert.equal(provider.revoked.size, revoked + 3)
  assert.equal(await jobsLeft(), 0)
})

test('while the request ends a session, the worker leaves it alone', async () => {
  provider.person = somebody()
  const one = await signedIn()
  provider.mood = 'down'
  await one.post('/api/v1/logout', { no_redirect: 'true' })
  provider.mood = 'well'
  const calls = endings()
  await runWork(database, [], jobs)
  assert.equal(endings(), calls, 'the job is not due yet')
  assert.equal(await jobsLeft(), 1)
})

for (const mood of ['down', 'html', 'slow'] as const)
  test(`A38: with a provider that is ${mood}, a sign-out is answered in time and the worker ends the session later`, async () => {
    provider.person = somebody()
    const [one, other] = [await signedIn(), await signedIn()]
    const revoked = provider.revoked.size
    provider.mood = mood
    const started = Date.now()
    const { status } = await one.post('/api/v1/logout', { no_redirect: 'true' })
    assert.ok(Date.now() - started < 2500, `answered after ${Date.now() - started} ms`)
    assert.equal(status, 200)
    assert.deepEqual(await one.session(), {}, 'signed out here all the same')
    const second = Date.now()
    await other.post('/api/v1/logout', { no_redirect: 'true' })
    if (mood === 'slow') assert.ok(Date.now() - second < 1000, 'the next sign-out does not wait for a provider that hangs')
    assert.equal(provider.revoked.size, revoked)
    provider.mood = 'well'
    await laterWork()
    assert.equal(provider.revoked.size, revoked + 2)
    assert.equal(await jobsLeft(), 0)
  })

test('a sign-out that waits for a provider that hangs does not hold up the end of the worker', async () => {
  provider.person = somebody()
  const one = await signedIn()
  provider.mood = 'slow'
  await one.post('/api/v1/logout', { no_redirect: 'true' })
  await database.pool.query(`update platform.job set run_at = now() where name = 'auth.revoke'`)
  const worker = startWorker({ pool: database.pool, handlers: [], jobs, schedules: [] })
  const attempts = async () => (await database.pool.query(`select 1 from platform.job where attempts > 0`)).rows.length
  while ((await attempts()) === 0) await sleep(10)
  const stoppedAt = performance.now()
  await worker.stop()
  assert.ok(performance.now() - stoppedAt < 1000)
  assert.equal(await jobsLeft(), 1)
})
