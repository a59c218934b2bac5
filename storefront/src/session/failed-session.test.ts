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
let others: (path: string, body: unknown) => Response = () => Response.json({})
define('fetch', async (address: string | URL, init?: RequestInit) => {
  const { pathname } = new URL(address, location.href)
  return pathname === '/api/auth/session' ? session() : others(pathname, init?.body)
})
const stored: string[] = []
define('localStorage', { setItem: (key: string) => stored.push(key) })
const { authState } = await import('./auth-state.ts')
const { fetchSession, leave, signIn, signOut } = await import('./session-client.ts')
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

/** The service, which refuses these forms. */
const serviceRefusing = (isRefused: (callback: string | null) => boolean, status: number) => (path: string, body: unknown) => {
  if (path === '/api/auth/csrf') return Response.json({ csrfToken: 'token' })
  if (path === '/api/auth/providers') return Response.json({ mail: {} })
  const callback = new URLSearchParams(String(body)).get('callbackUrl')
  if (isRefused(callback)) return Response.json({ message: 'There is a problem with the request' }, { status })
  return Response.json({ url: `http://gb.localhost${callback}` })
}

test('A33 a sign-out or sign-in whose callback the service refuses is sent again without it, and leads home', async () => {
  others = serviceRefusing((callback) => callback !== '/', 400)
  for (const act of [() => signOut({ callbackUrl: 'javascript:alert(1)' }), () => signIn('mail', 'javascript:alert(1)')]) {
    visited.length = 0
    await act()
    assert.deepEqual(visited, ['http://gb.localhost/'])
  }
  others = () => Response.json({})
})

test('R-541 a sign-out that the service refuses is none: other tabs are told nothing, and the page that offers it again is shown', async () => {
  for (const status of [400, 403, 413, 429, 503]) {
    others = serviceRefusing(() => true, status)
    visited.length = stored.length = 0
    await assert.rejects(signOut({ callbackUrl: '/cart' }), new RegExp(`signout answered ${status}`))
    assert.deepEqual([visited, stored], [['/api/auth/signout'], []], String(status))
    await assert.rejects(signOut({ callbackUrl: '/cart', redirect: false }))
    assert.deepEqual([visited.length, stored], [1, []], 'no redirect')
  }
  visited.length = 0
  await signIn('mail')
  assert.deepEqual(visited, ['/api/auth/error'], 'a sign-in')
  others = serviceRefusing(() => false, 200)
  visited.length = 0
  await signOut({ callbackUrl: '/cart' })
  assert.deepEqual([visited, stored], [['http://gb.localhost/cart'], ['purlin.session']])
  others = () => Response.json({})
})

test('R-541 a sign-out whose CSRF token the service refuses, in an address instead of an error, is none', async () => {
  others = (path) =>
    Response.json(path === '/api/auth/csrf' ? { csrfToken: 'old' } : { url: 'http://gb.localhost/api/auth/signout?csrf=true' })
  session = () => Response.json(customer)
  await fetchSession()
  visited.length = stored.length = 0
  await assert.rejects(signOut({ callbackUrl: '/cart', redirect: false }), /refused the token/)
  assert.deepEqual([visited, stored, authState().isAuthenticated], [[], [], true], 'no redirect')
  await assert.rejects(signOut({ callbackUrl: '/cart' }))
  assert.deepEqual([visited, stored], [['/api/auth/signout'], []])
  others = serviceRefusing(() => false, 200)
  await signOut({ callbackUrl: '/cart?csrf=true' })
  assert.deepEqual(visited.at(-1), 'http://gb.localhost/cart?csrf=true', 'a page whose own address says so')
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
