import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { canRun, postgresAccount } from './pg-account.ts'
import { copyFor } from './pg-place.ts'
import { launchPostgres } from './pg-server.ts'

const folders: string[] = []
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-pg-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}
after(() => {
  for (const folder of folders) {
    const note = join(folder, 'postgres.place')
    if (existsSync(note)) rmSync(readFileSync(note, 'utf8').trim(), { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
})

async function ask(connectionString: string, text: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return String(Object.values(rows.at(-1) ?? {})[0])
  } finally {
    await client.end()
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const shared = newFolder()

test('a commit is on disk before it is acknowledged', async () => {
  const server = await launchPostgres({ dataDir: shared })
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    assert.equal(await ask(server.connectionString, `show ${setting}`), 'on')
  await ask(server.connectionString, 'create table kept (n int)')
  await server.stop()
  assert.equal(lives(server.pid), false)
})

test('its log names broken constraints, and no keys or rows', async () => {
  const server = await launchPostgres({ dataDir: shared })
  const client = new pg.Client({ connectionString: server.connectionString })
  await client.connect()
  await client.query('create table person (email text constraint once unique, age int constraint alive check (age > 0))')
  const add = (age: number) => client.query('insert into person values ($1, $2)', ['zwackelmann@mail.example', age])
  await add(1)
  await assert.rejects(add(1), /once/)
  await assert.rejects(add(0), /alive/)
  await client.end()
  await server.stop()
  const log = readFileSync(join(readFileSync(join(shared, 'postgres.place'), 'utf8').trim(), 'postgres.log'), 'utf8')
  assert.match(log, /"once"[^]*"alive"/)
  assert.doesNotMatch(log, /zwackelmann/)
})

test('F3 a killed server loses nothing that was committed and starts again', async () => {
  const first = await launchPostgres({ dataDir: shared })
  await ask(first.connectionString, 'insert into kept values (7)')
  process.kill(first.pid, 'SIGKILL')
  await first.ended
  const started = Date.now()
  const second = await launchPostgres({ dataDir: shared })
  // Two and a half seconds on two idle cores.
  const limit = 2500 * Math.max(1, (loadavg()[0] ?? 0) / 2)
  assert.ok(Date.now() - started < limit, `${Date.now() - started} ms of ${Math.round(limit)}`)
  assert.equal(await ask(second.connectionString, 'select max(n) from kept'), '7')
  await second.stop()
})

test('a server left running by an earlier shop is stopped, and its data taken over', async () => {
  const left = await launchPostgres({ dataDir: shared })
  const server = await launchPostgres({ dataDir: shared })
  assert.equal(lives(left.pid), false)
  assert.equal(await ask(server.connectionString, 'select max(n) from kept'), '7')
  await server.stop()
})

test('a stale pid file whose pid now belongs to another process does not delay the start', async () => {
  writeFileSync(join(shared, 'postgres/cluster/postmaster.pid'), `${process.pid}\n${shared}\n1\n5432\n`)
  const server = await launchPostgres({ dataDir: shared })
  assert.equal(await ask(server.connectionString, 'select 1'), '1')
  await server.stop()
})

test('a server stops with the process that started it, however that process ends', async () => {
  const script = `const { launchPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'pg-server.ts'))})
    const { pid } = await launchPostgres({ dataDir: ${JSON.stringify(newFolder())} })
    console.log(pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_TEST_CONTEXT: '' },
  })
  const pid = Number(await new Promise((resolve) => child.stdout.once('data', resolve)))
  assert.ok(lives(pid))
  child.kill('SIGKILL')
  for (const end = Date.now() + 5000; Date.now() < end && lives(pid);) await sleep(50)
  assert.equal(lives(pid), false)
})

test('a data folder that only its owner may enter works; as root the data goes where the server has access, and stays there', async () => {
  const closed = newFolder()
  chmodSync(closed, 0o700)
  const dataDir = join(closed, 'data')
  mkdirSync(dataDir)
  const first = await launchPostgres({ dataDir })
  await ask(first.connectionString, 'create table there as select 5 as n')
  await first.stop()
  const second = await launchPostgres({ dataDir })
  assert.equal(await ask(second.connectionString, 'select n from there'), '5')
  await second.stop()
  const place = readFileSync(join(dataDir, 'postgres.place'), 'utf8').trim()
  assert.equal(place.startsWith(dataDir), process.getuid?.() !== 0)
  folders.push(place)

  rmSync(dataDir, { recursive: true })
  const anew = await launchPostgres({ dataDir })
  await assert.rejects(ask(anew.connectionString, 'select n from there'), /does not exist/)
  await anew.stop()
})

test('binaries readable only by root are copied so that the server can run them', () => {
  const closed = join(newFolder(), 'closed')
  mkdirSync(join(closed, 'bin'), { recursive: true, mode: 0o700 })
  writeFileSync(join(closed, 'bin', 'postgres'), '#!/bin/sh\n', { mode: 0o700 })
  chmodSync(closed, 0o700)
  const account = postgresAccount()
  const copy = join(newFolder(), 'copy')
  copyFor(account, closed, copy)
  assert.equal(canRun(account, join(copy, 'bin', 'postgres')), true)
  assert.equal(canRun(account, join(closed, 'bin', 'postgres')), account === undefined)
})

test('a folder with a very long name works', async () => {
  const dataDir = join(newFolder(), 'a'.repeat(120))
  const server = await launchPostgres({ dataDir })
  assert.equal(await ask(server.connectionString, 'select 1'), '1')
  await server.stop()
})
