import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { freshSignInSeconds } from '@purlin/contract/identity.ts'
import { connectObjectStore, folderStore, putFile } from '#files'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from '../../people/auth/test-provider.ts'
import { gb, pro, testBrowser, type TestBrowser } from '../../people/auth/testing.ts'

/** Erasure and the download of one's data ask again for the password, at the identity provider, when the sign-in is old. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const folder = mkdtempSync(join(tmpdir(), 'step-up-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))

beforeEach(() => {
  Object.assign(provider, { authAge: freshSignInSeconds + 60, isLax: false, person: somebody() })
})

/** A customer with a file of their data. */
async function signedIn(): Promise<TestBrowser> {
  const one = testBrowser(gateway)
  await one.signIn()
  const { user } = await one.session()
  assert.ok(user)
  const put = await putFile(database.db, Readable.from([Buffer.from('{}')]), {
    kind: 'personal-data',
    owner: `customer:${user.id}`,
    type: 'application/json',
    name: 'purlin.json',
  })
  assert.ok(put.ok)
  await database.pool.query(
    `insert into privacy.export (id, customer_id, file_key, expires_at) values ($1, $2, $3, now() + interval '7 days')`,
    [newId(), user.id, put.file.key],
  )
  return one
}
const erase = async (one: TestBrowser, host = gb) => {
  const email = String(provider.person['email'])
  const { data, errors } = await one.graphql<{ result: { refusal: { reason: string; message: string } | null } }>(
    `mutation { result: eraseMyAccount(email: "${email}") { refusal { reason message } } }`,
    host,
  )
  assert.equal(errors, undefined)
  return data?.result.refusal ?? null
}
const download = (one: TestBrowser) => one.ask('/api/v1/my-data')
/** The way the product sends a person: to the provider and back. */
async function signInAgain(one: TestBrowser, callbackUrl: string) {
  const started = await one.ask(`/api/auth/pre-login?${new URLSearchParams({ step: 'again', callbackUrl })}`)
  const asked = new URL(started.location).searchParams
  const answer = await fetch(started.location.replace('id.localhost', '127.0.0.1'), { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  return { asked, end: await one.ask(back.pathname + back.search, { host: back.host }) }
}

test('R-313 A38 the file of one’s data is downloaded after a recent sign-in; an older one is renewed first, and leads back', async () => {
  const one = await signedIn()
  const stale = await download(one)
  assert.deepEqual([stale.status, stale.location], [302, '/api/auth/pre-login?step=again&callbackUrl=%2Fsettings%23data'])
  const { asked, end } = await signInAgain(one, '/settings#data')
  assert.deepEqual(
    [asked.get('prompt'), asked.get('max_age'), asked.get('login_hint')],
    ['login', String(freshSignInSeconds), provider.person['email']],
  )
  assert.equal(end.location, `http://${gb}/settings#data`)
  const fresh = await download(one)
  assert.deepEqual([fresh.status, fresh.body], [200, '{}'])
})

test('R-313 A38 an account is erased after a recent sign-in alone, and the refusal says what to do', async () => {
  const one = await signedIn()
  assert.deepEqual(await erase(one), { reason: 'sign-in-again', message: 'Please sign in again to confirm that it is you.' })
  assert.ok((await one.session()).user, 'nothing has happened yet')
  await signInAgain(one, '/settings?close=1#erase')
  assert.equal(await erase(one), null)
  assert.deepEqual(await one.session(), {})
})

test('A38 the limit is a quarter of an hour, to the minute', async () => {
  for (const [minutes, reason] of [
    [14, null],
    [16, 'sign-in-again'],
  ] as const) {
    provider.person = somebody()
    provider.authAge = minutes * 60
    assert.equal((await erase(await signedIn()))?.reason ?? null, reason, `${minutes} minutes`)
  }
})

test('A38 whoever removes the request to ask again from the address gains nothing: the time counts that the provider signs', async () => {
  const one = await signedIn()
  provider.isLax = true
  await signInAgain(one, '/settings')
  assert.equal((await erase(one))?.reason, 'sign-in-again')
  provider.authAge = null
  await signInAgain(one, '/settings')
  assert.equal((await erase(one))?.reason, 'sign-in-again', 'no time is no proof')
  provider.authAge = -3600
  const other = await signedIn()
  const { rows } = await database.pool.query('select max(authenticated_at) <= now() as "isPast" from accounts.session')
  assert.equal(rows[0].isPast, true, 'a time in the future would never grow old')
  assert.equal(await erase(other), null)
})

test('A34 a session carried to the other storefront is as old as the one it comes from', async () => {
  const carried = async () => {
    const one = await signedIn()
    let reply = await one.ask('/api/v1/exchange-to-pro?callbackUrl=/cart')
    while (reply.location.includes('/api/')) {
      const url = new URL(reply.location)
      reply = await one.ask(url.pathname + url.search, { host: url.host })
    }
    assert.ok((await one.session(pro)).user)
    return one
  }
  assert.equal((await erase(await carried(), pro))?.reason, 'sign-in-again')
  provider.person = somebody()
  provider.authAge = 10
  assert.equal(await erase(await carried(), pro), null)
})

test('a visitor who is not signed in is not asked again, but to sign in', async () => {
  const one = testBrowser(gateway)
  assert.equal((await download(one)).status, 401)
  const { asked, end } = await signInAgain(one, '/settings')
  assert.deepEqual([asked.get('prompt'), asked.get('login_hint')], [null, null])
  assert.equal(end.location, `http://${gb}/settings`)
})
