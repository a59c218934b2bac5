import assert from 'node:assert/strict'
import { test } from 'node:test'

/** What a page does whose call for the session fails: a failure is no response that nobody is signed in. */

const define = (name: string, value: unknown) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
define('document', { cookie: '', documentElement: { dataset: { market: 'gb' } } })
const visited: string[] = []
define('location', Object.assign(new URL('http://gb.localhost/'), { assign: (address: string) => visited.push(address) }))
define('window', globalThis)
const customer = { user: { id: 'a', email: 'a@example.com', given_name: 'A' }, role: 'b2b', provider: 'mail' }
let session: () => Response = () => Response.json({})
/** To calls other than the session's. */
let others: () => Response = () => Response.json({})
define('fetch', async (address: string | URL) => (new URL(address, location.href).pathname === '/api/auth/session' ? session() : others()))
const { authState } = await import('./auth-state.ts')
const { fetchSession, leave, signOut } = await import('./session-client.ts')
const { knownAuth } = await import('../measure/known-auth.ts')
const { followAudience } = await import('../shell/follow-audience.ts')

const unavailable = () => new Response('{}', { status: 503 })
const failures: Readonly<Record<string, () => Response>> = {
  refused: () => new Response('{}', { status: 429 }),
  unavailable,
  unreadable: () => new Response('<!doctype html>'),
  'out of reach': () => {
    throw new TypeError('Failed to fetch')
  },
}

test('R-437 a failed call clears the auth state and says that it is not known whether anybody is signed in', async () => {
  for (const [name, fail] of Object.entries(failures)) {
    session = () => Response.json(customer)
    const known = await fetchSession()
    assert.deepEqual([known.hasRetrievedAuthStatus, known.isAuthenticated], [true, true])
    session = fail
    const { hasRetrievedAuthStatus, isAuthenticating, isAuthenticated, isGuest, userId } = await fetchSession()
    assert.deepEqual([hasRetrievedAuthStatus, isAuthenticating, isAuthenticated, isGuest, userId], [false, false, false, true, null], name)
    assert.equal((await knownAuth()).isAuthenticated, false, 'nobody waits any longer')
  }
  session = () => Response.json({})
  assert.equal((await fetchSession()).hasRetrievedAuthStatus, true)
  others = unavailable
  await leave()
  assert.deepEqual([authState().hasRetrievedAuthStatus, authState().isAuthenticated], [false, false], 'a sign-out that failed')
  others = () => Response.json({})
})

test('A33 a sign-out whose callback the service refuses leads home', async () => {
  others = () => Response.json({ message: 'There is a problem with the request' }, { status: 400 })
  await signOut({ callbackUrl: 'javascript:alert(1)' })
  assert.deepEqual(visited, ['/'])
  others = () => Response.json({})
})

test('R-423 a customer whose later session call fails goes on seeing what the header has for customers', async () => {
  const items = ['guests', 'customers'].map((audience) => ({ dataset: { audience }, hidden: audience === 'customers' }))
  session = () => Response.json(customer)
  await fetchSession()
  followAudience({ querySelectorAll: () => items } as unknown as HTMLElement)
  const hidden = () => items.map((item) => item.hidden)
  assert.deepEqual(hidden(), [true, false])
  session = unavailable
  await fetchSession()
  assert.deepEqual(hidden(), [true, false])
  session = () => Response.json({})
  await fetchSession()
  assert.deepEqual(hidden(), [false, true])
})
