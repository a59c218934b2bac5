import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { postWebhook } from './post-webhook.ts'
import { resolveName } from './resolve-name.ts'

const types = { A: 1, AAAA: 28 } as const
const responses = { serverFailure: 2, refused: 5 } as const
/** Records of the DNS server; queries for other names get no response. */
const records: Record<string, { A?: string; AAAA?: string; silentOn?: number; lateOn?: number; code?: number }> = {
  'four.example.com': { A: '127.0.0.1' },
  'six.example.com': { AAAA: '::1' },
  'both.example.com': { A: '8.8.8.8', AAAA: 'fd00::1' },
  'none.example.com': {},
  'no-six.example.com': { A: '127.0.0.1', silentOn: types.AAAA },
  'no-four.example.com': { AAAA: '::1', silentOn: types.A },
  'late-four.example.com': { A: '127.0.0.1', AAAA: '2001:db8::1', lateOn: types.A },
  // getaddrinfo knows them on every machine, without DNS.
  '127.1': { code: responses.serverFailure },
  '127.2': { code: responses.refused },
  localhost: {},
}
const dns = createSocket('udp4').on('message', answer)
await new Promise<void>((resolve) => dns.bind(0, '127.0.0.1', resolve))
const servers = [`127.0.0.1:${dns.address().port}`]
let asked: string[] = []
/** Later than the other kind of addresses may be, earlier than the query is repeated. */
const lateMs = 900

let calls = 0
const program = createServer((request, response) => {
  request.resume()
  calls += 1
  response.end()
})
await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
const { port } = program.address() as AddressInfo
const urlOf = (host: string) => `http://${host}:${port}/`

after(() => {
  dns.close()
  program.closeAllConnections()
  program.close()
})
beforeEach(() => {
  asked = []
  calls = 0
})

test('A69 a message is sent to the address that the DNS server reports; both kinds of addresses are queried', async () => {
  assert.deepEqual(await postWebhook(urlOf('four.example.com'), '{}', {}, { isLocal: true, servers }), { status: 200, error: null })
  assert.equal(calls, 1)
  const { signal } = new AbortController()
  assert.deepEqual(await resolveName('both.example.com', { isLocal: false, signal, servers }), [
    { address: '8.8.8.8', family: 4 },
    { address: 'fd00::1', family: 6 },
  ])
})

test('A69 on real domains a name with a private address of either kind is refused as a whole', async () => {
  for (const host of ['four.example.com', 'six.example.com', 'both.example.com']) {
    const posted = await postWebhook(`https://${host}/`, '{}', {}, { isLocal: false, servers })
    assert.deepEqual(posted, { status: null, error: 'address-refused' }, host)
  }
})

test('names whose DNS server never answers occupy no thread, and their queries end with the call', async () => {
  let lookups = 0
  const hook = createHook({ init: (_id, type) => void (type === 'GETADDRINFOREQWRAP' && lookups++) }).enable()
  const stops = new AbortController()
  const options = { isLocal: true, servers, signal: stops.signal }
  const posts = Array.from({ length: 6 }, (_, n) => postWebhook(urlOf(`silent-${n}.example.com`), '{}', {}, options).catch(() => 'stopped'))
  // Both queries of each.
  while (asked.length < 12) await once(dns, 'message')
  const stoppedAt = performance.now()
  stops.abort()
  await Promise.all(posts)
  hook.disable()
  assert.equal(lookups, 0)
  assert.ok(performance.now() - stoppedAt < 500)
  // Their second tries would be made by now.
  await sleep(2000)
  assert.equal(asked.length, 12)
})

test('a name without an answer is a failed attempt before the call has taken its ten seconds', async () => {
  const startedAt = performance.now()
  const posted = await postWebhook('https://silent.example.com/', '{}', {}, { isLocal: false, servers })
  assert.deepEqual(posted, { status: null, error: 'connection-failed' })
  assert.ok(performance.now() - startedAt < 8000)
})

test('a shop that serves this machine alone also finds names of its own; one on real domains queries DNS servers only', async () => {
  const { signal } = new AbortController()
  assert.deepEqual(await postWebhook(urlOf('localhost'), '{}', {}, { isLocal: true, servers }), { status: 200, error: null })
  assert.equal(asked.length, 0)
  await assert.rejects(resolveName('none.example.com', { isLocal: false, signal, servers }), { code: 'ENODATA' })
  await assert.rejects(resolveName('localhost', { isLocal: false, signal, servers }), { code: 'ENODATA' })
  assert.ok(asked.includes('localhost'))
})

test('a DNS server that does not answer queries for IPv6 addresses delays a message by a moment only', async () => {
  const startedAt = performance.now()
  const found = await resolveName('no-six.example.com', { isLocal: true, signal: new AbortController().signal, servers })
  assert.deepEqual(found, [{ address: '127.0.0.1', family: 4 }])
  assert.ok(performance.now() - startedAt < 1200)
})

test('an IPv4 address is waited for although the IPv6 address is known: without a route for IPv6 it is the only way', async () => {
  const resolve = (host: string) => resolveName(host, { isLocal: true, signal: new AbortController().signal, servers })
  assert.deepEqual(await resolve('late-four.example.com'), [
    { address: '127.0.0.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
  assert.deepEqual(await resolve('no-four.example.com'), [{ address: '::1', family: 6 }])
})

test('a shop that serves this machine alone finds names of its own also while the DNS servers fail or refuse to answer', async () => {
  const { signal } = new AbortController()
  for (const host of ['127.1', '127.2']) {
    const [found] = await resolveName(host, { isLocal: true, signal, servers })
    assert.match(found?.address ?? '', /^127\./)
    await assert.rejects(resolveName(host, { isLocal: false, signal, servers }), { code: /^E(?:SERVFAIL|REFUSED)$/ })
  }
})

/** One question each, with one record or none. */
function answer(query: Buffer, from: RemoteInfo): void {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const name = labels.join('.').toLowerCase()
  asked.push(name)
  const known = records[name]
  if (!known) return
  const type = query.readUInt16BE(at + 1)
  if (type === known.silentOn) return
  const address = type === types.A ? known.A : type === types.AAAA ? known.AAAA : undefined
  const data = address === undefined ? null : bytesOf(address)
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 + (known.code ?? 0), 2)
  head.writeUInt16BE(data ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const record = data ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data] : []
  const response = Buffer.concat([head, query.subarray(12, at + 5), ...record])
  setTimeout(() => dns.send(response, from.port, from.address), type === known.lateOn ? lateMs : 0)
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [left = '', right = ''] = address.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const zeros = Array<string>(8 - groups(left).length - groups(right).length).fill('0')
  return Buffer.from([...groups(left), ...zeros, ...groups(right)].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
