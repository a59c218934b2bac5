import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createAssets } from './assets.ts'
import { listen, type TestServer } from './testing.ts'

const root = mkdtempSync(join(tmpdir(), 'assets-'))
let server: TestServer
before(async () => {
  mkdirSync(join(root, 'client/assets'), { recursive: true })
  mkdirSync(join(root, 'client/.vite'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'secret')
  writeFileSync(join(root, 'client/.vite/manifest.json'), '{}')
  writeFileSync(join(root, 'client/favicon.svg'), '<svg/>')
  writeFileSync(join(root, 'client/assets/a-1234.js'), 'x'.repeat(2000))
  const assets = createAssets(join(root, 'client'))
  server = await listen((req, res) => {
    if (!assets(req, res, (req.url ?? '/').split('?')[0]!)) res.writeHead(404).end('no')
  })
})
after(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})

test('files with a hash in their name are immutable, others are revalidated after an hour', async () => {
  assert.equal((await server.ask('/assets/a-1234.js')).headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal((await server.ask('/favicon.svg')).headers['cache-control'], 'public, max-age=3600')
  assert.equal((await server.ask('/favicon.svg')).headers['content-type'], 'image/svg+xml; charset=utf-8')
})

test('files come in the requested encoding, with 304 if the client’s copy is current, without a body for HEAD, and for reads only', async () => {
  for (const encoding of ['br', 'gzip']) {
    const reply = await server.ask('/assets/a-1234.js', { headers: { 'accept-encoding': encoding } })
    assert.equal(reply.headers['content-encoding'], encoding)
    assert.equal(reply.body.length, 2000)
  }
  const { headers } = await server.ask('/assets/a-1234.js')
  assert.equal((await server.ask('/assets/a-1234.js', { headers: { 'if-none-match': headers.etag! } })).status, 304)
  assert.equal((await server.ask('/assets/a-1234.js', { method: 'HEAD' })).body, '')
  assert.equal((await server.ask('/assets/a-1234.js', { method: 'POST' })).status, 405)
})

test('A61 no path leads out of the folder or to a dotfile', async () => {
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '/%c0%ae%c0%ae/secret.txt',
    '//secret.txt',
    '/favicon.svg%00.txt',
    '/assets/',
    '/.vite/manifest.json',
    '/./favicon.svg',
    '/__proto__',
    '/constructor',
    `${root}/secret.txt`,
  ]) {
    assert.equal((await server.ask(path)).status, 404, path)
  }
})
