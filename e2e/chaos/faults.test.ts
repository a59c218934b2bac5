/** Whether a fault has hit something: each kind with nothing to hit, and with parts that are there. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { openSearchEngine } from '@purlin/search/index.ts'
import { faults, type Target } from './faults.ts'
import type { Part } from './parts.ts'

const place = mkdtempSync(join(tmpdir(), 'faults-'))
after(() => rmSync(place, { recursive: true, force: true }))
const closed = 'postgres://nobody@127.0.0.1:1/none'

/** All that lasts for a random time is as short as it can be. */
const shortest = () => 0

/** A shop without processes, unless `pid` is their parent. */
function target(changed: { pid?: number; port?: number; databaseUrl?: string; disk?: Target['disk'] } = {}): Target {
  const { pid = 2 ** 30, port = 1, databaseUrl = closed, disk = null } = changed
  const [dataDir, clocks] = [mkdtempSync(join(place, 'data-')), mkdtempSync(join(place, 'clocks-'))]
  const shop = { origin: '', host: '', dataDir, pid, databaseUrl: () => databaseUrl, stop: async () => undefined }
  return { shop, port, random: shortest, clocks, disk, stopped: new Set(), noted: [] }
}

const faultNamed = (pattern: RegExp) => {
  const [fault, ...others] = faults.filter(({ name }) => pattern.test(name))
  assert.ok(fault && others.length === 0, String(pattern))
  return fault
}

/** A process that this one starts as the shop starts its own, obedient if it is preloaded as they are. */
async function startPart(
  context: TestContext,
  part: Part,
  { clocks, program = 'setInterval(() => undefined, 1000)' }: { clocks?: string; program?: string } = {},
): Promise<ChildProcess> {
  const folder = mkdtempSync(join(place, 'part-'))
  mkdirSync(join(folder, 'start'))
  const file = join(folder, 'start', `${part}.ts`)
  writeFileSync(file, `${program}; process.stdout.write('started')`)
  const preloads = ['skewed-clock.mjs', 'sick-services.mjs', 'troubled-process.mjs'].map(
    (name) => `--import=${pathToFileURL(join(import.meta.dirname, name)).href}`,
  )
  const child = spawn(process.execPath, [...(clocks === undefined ? [] : preloads), '--max-old-space-size=200', file], {
    env: { ...process.env, CLOCK_DIR: clocks ?? '', NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  context.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('no fault counts that has nothing to hit', async () => {
  const hit = await Promise.all(faults.map(async ({ name, inject }) => ((await inject(target())) ? [name] : [])))
  assert.deepEqual(hit.flat(), [])
})

for (const [pattern, part] of [
  [/^one web process killed/, 'app'],
  [/^all web processes killed/, 'app'],
  [/documents of programs killed/, 'documents'],
  [/^the worker killed/, 'worker'],
  [/carrier services killed/, 'services'],
] as const)
  test(`"${faultNamed(pattern).name}" ends a process that runs, and counts`, async (context) => {
    const child = await startPart(context, part)
    const ended = once(child, 'exit')
    assert.equal(await faultNamed(pattern).inject(target({ pid: process.pid })), true)
    assert.deepEqual(await ended, [null, 'SIGKILL'])
  })

test('F18 a part that stood still runs on, and counts', async (context) => {
  await startPart(context, 'worker')
  assert.equal(await faultNamed(/^the worker stands still/).inject(target({ pid: process.pid })), true)
})

test('F14 a web process that is told to stop counts', async (context) => {
  const child = await startPart(context, 'app')
  const shop = target({ pid: process.pid })
  assert.equal(await faultNamed(/replaced one after the other/).inject(shop), true)
  assert.deepEqual([...shop.stopped], [child.pid])
})

for (const pattern of [/event loop/, /memory of a process/, /two hours off/])
  test(`"${faultNamed(pattern).name}" counts if the process obeys`, async (context) => {
    const shop = target({ pid: process.pid })
    await startPart(context, 'worker', { clocks: shop.clocks })
    assert.equal(await faultNamed(pattern).inject(shop), true)
  })

test('F12 F18 clock and event loop of a process that runs and obeys nothing do not count', async (context) => {
  await startPart(context, 'worker')
  const hit = await Promise.all([/event loop/, /two hours off/].map((each) => faultNamed(each).inject(target({ pid: process.pid }))))
  assert.deepEqual(hit, [false, false])
})

const services = `import('node:http').then(({ createServer }) => createServer((req, res) => res.end('{}')).listen(0, '127.0.0.1', function () { process.stdout.write(':' + this.address().port + ':') }))`

test('F8 services that answer 500 count once a call has met it', async (context) => {
  const shop = target()
  const child = await startPart(context, 'services', { clocks: shop.clocks, program: services })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (!/:\d+:/.test(said)) await sleep(20)
  const port = Number(/:(\d+):/.exec(said)?.[1])
  const call = () =>
    new Promise<number>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, headers: { authorization: 'Bearer x' } }
      request(options, (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)))
        .on('error', reject)
        .end()
    })
  const { inject } = faultNamed(/^the services answer 500/)
  assert.equal(await inject(shop), false, 'nobody called')
  let isOver = false
  const injecting = inject(shop).finally(() => (isOver = true))
  const statuses = new Set<number>()
  for (; !isOver; await sleep(50)) statuses.add(await call())
  assert.deepEqual([await injecting, statuses.has(500)], [true, true])
  assert.equal(await inject(shop), false, 'the calls before are not those of this fault')
})

async function listening(context: TestContext): Promise<number> {
  const server = createServer((_req, res) => res.end('x')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

for (const pattern of [/byte at a time/, /three hundred requests/])
  test(`"${faultNamed(pattern).name}" counts if somebody took the connections`, async (context) => {
    const shop = target({ port: await listening(context) })
    assert.equal(await faultNamed(pattern).inject(shop), true)
    assert.deepEqual(shop.noted, [])
  })

test('F11 a disk that was filled counts', async () => {
  let filledMs = 0
  const disk = { folder: '', remove: () => undefined, fillFor: async (ms: number) => void (filledMs = ms) }
  assert.equal(await faultNamed(/disk/).inject(target({ disk })), true)
  assert.ok(filledMs > 0)
})

test('F17 an index that was harmed counts, and one that is put back from the second time on', async () => {
  const shop = target()
  const engine = await openSearchEngine({ directory: join(shop.shop.dataDir, 'search') })
  await engine.replaceAll('p', [{ objectID: 'p1', title: 'drill' }], { searchableAttributes: ['title'] })
  await engine.close()
  const { inject } = faultNamed(/index is again what it was/)
  assert.deepEqual([await inject(shop), await inject(shop)], [false, true])
  assert.equal(await faultNamed(/damaged or lost/).inject(shop), true)
})

const database = await testDatabase()
const shopWithDatabase = () => target({ databaseUrl: database.connectionString })

test('F3 F5 F21 connections that were ended or taken, rows that were locked and an event that was written count', async () => {
  await database.pool.query('select 1')
  for (const pattern of [
    /connections to the database terminated/,
    /^orders and offers locked/,
    /^most connections/,
    /event nobody can read/,
  ])
    assert.equal(await faultNamed(pattern).inject(shopWithDatabase()), true, String(pattern))
})

test('F17 lost purges count if a page was to be purged meanwhile, and none is lost afterwards', async () => {
  const { inject } = faultNamed(/nothing is purged/)
  const purge = () => database.pool.query(`insert into platform.purge_log (tags) values ('{a}')`)
  const rows = async () => (await database.pool.query<{ n: number }>('select count(*)::int as n from platform.purge_log')).rows[0]?.n ?? 0
  assert.equal(await inject(shopWithDatabase()), false, 'nothing was to be purged')
  let isOver = false
  const injecting = inject(shopWithDatabase()).finally(() => (isOver = true))
  for (; !isOver; await sleep(100)) await purge()
  assert.equal(await injecting, true)
  const before = await rows()
  await purge()
  assert.equal(await rows(), before + 1)
})
