import assert from 'node:assert/strict'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fileLease, openSearchEngine, ownIdentity, type ProcessIdentity, type SearchEngine, type WriterLease } from '../index.ts'
import { withFolder } from '../testing/folders.ts'
import { settings } from '../testing/model.ts'

const script = fileURLToPath(new URL('../testing/lease-child.ts', import.meta.url))
const ttlMs = 1_000
const lease = fileLease({ heartbeatMs: ttlMs / 5, ttlMs })

interface Writer {
  process: ChildProcessByStdio<null, Readable, null>
  lines: string[]
  /** Resolves with the first line with this beginning; rejects when the process ends without one. */
  line(start: string): Promise<string>
  ended: Promise<void>
}

function startWriter(directory: string, prefix: string): Writer {
  const child = spawn(process.execPath, [script, directory, prefix, String(ttlMs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let rest = ''
  child.stdout.on('data', (data: Buffer) => {
    const found = (rest + data.toString()).split('\n')
    rest = found.pop() ?? ''
    lines.push(...found)
  })
  let isEnded = false
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve(void (isEnded = true))))
  async function line(start: string): Promise<string> {
    for (;;) {
      const found = lines.find((one) => one.startsWith(start))
      if (found !== undefined) return found
      assert.ok(!isEnded, `the writer ended with ${lines.at(-1)}, without "${start}"`)
      await sleep(10)
    }
  }
  return { process: child, lines, line, ended }
}

const confirmedBy = ({ lines }: Writer, prefix: string): string[] => lines.filter((line) => line.startsWith(prefix))

async function idsIn(engine: SearchEngine): Promise<Set<string>> {
  const { hits } = await engine.browse('p', { hitsPerPage: 1000 })
  return new Set(hits.map((hit) => hit.objectID))
}

function assertHolds(ids: ReadonlySet<string>, confirmed: readonly string[]): void {
  assert.deepEqual(
    confirmed.filter((id) => !ids.has(id)),
    [],
    'a confirmed write is missing',
  )
}

/** Grants every requested epoch, like a lease that wrongly takes its holder for dead. */
const carelessLease: WriterLease = {
  acquire: async ({ above }) => ({
    epoch: above + 1,
    lost: new AbortController().signal,
    confirm: async () => undefined,
    release: async () => undefined,
  }),
}

test('V-90: a lease left by a killed process is taken over at once, even when its pid is in use again', async () => {
  await withFolder(async (directory) => {
    const own = ownIdentity()
    const reused: ProcessIdentity = { ...own, startedAt: String(Number(own.startedAt) - 100) }
    writeFileSync(join(directory, 'writer-7.lease'), JSON.stringify({ holder: reused, isReleased: false }))
    const from = performance.now()
    const engine = await openSearchEngine({ directory })
    assert.ok(performance.now() - from < 3_000, 'it did not wait for the heartbeat to stop')
    await engine.close()
  })
})

test('V-90: the same pid in another namespace keeps the lease while its heartbeat continues, and loses it when that stops', async () => {
  await withFolder(async (directory) => {
    const container = startWriter(directory, 'a')
    await container.line('ready')
    const path = join(directory, 'writer-1.lease')
    // As seen from another container, where the holder's pid belongs to another process, or to none.
    const disguise = () =>
      writeFileSync(path, JSON.stringify({ holder: { ...ownIdentity(), namespace: 'pid:[1]', pid: 1 }, isReleased: false }))
    disguise()
    await assert.rejects(openSearchEngine({ directory, lease }), { name: 'WriterLeaseHeldError' })
    container.process.kill('SIGKILL')
    await container.ended
    const engine = await openSearchEngine({ directory, lease })
    assertHolds(await idsIn(engine), confirmedBy(container, 'a'))
    await engine.close()
  })
})

test('V-61: a writer frozen while another takes over confirms and commits nothing when it resumes', async () => {
  for (const afterMs of [0, 40, 130]) {
    await withFolder(async (directory) => {
      const frozen = startWriter(directory, 'a')
      await frozen.line('a30')
      await sleep(afterMs)
      frozen.process.kill('SIGSTOP')
      const engine = await openSearchEngine({ directory, lease, limits: { flushDocuments: 30 } })
      assertHolds(await idsIn(engine), confirmedBy(frozen, 'a'))
      await engine.upsert('p', [{ objectID: 'b', title: 'saw' }])
      const before = await idsIn(engine)
      frozen.process.kill('SIGCONT')
      const refused = await frozen.line('refused')
      assert.equal(refused, `refused${' WriterFencedError'.repeat(4)}`)
      await frozen.ended
      assertHolds(await idsIn(engine), confirmedBy(frozen, 'a'))
      assert.deepEqual(await idsIn(engine), before)
      await engine.close()
      const again = await openSearchEngine({ directory, lease })
      assert.deepEqual(await idsIn(again), before, 'nothing of the frozen writer is on disk')
      await again.close()
    })
  }
})

test('V-61: whatever a replaced writer does, its successor and its readers keep every confirmed write', async () => {
  await withFolder(async (directory) => {
    const limits = { flushDocuments: 5 }
    const first = await openSearchEngine({ directory, lease: carelessLease, limits, onLeaseLost: () => undefined })
    await first.setSettings('p', settings)
    for (let at = 0; at < 12; at++) await first.upsert('p', [{ objectID: `a${at}`, title: 'drill' }])
    // Not awaited: the takeover happens in the middle of it.
    const underWay = Array.from({ length: 20 }, (_, at) =>
      first.upsert('p', [{ objectID: `c${at}`, title: 'drill' }]).then(
        () => `c${at}`,
        (error: Error) => error.name,
      ),
    )
    const second = await openSearchEngine({ directory, lease: carelessLease, limits })
    const reader = await openSearchEngine({ directory, mode: 'reader', pollMs: 10 })
    const answered = await Promise.all(underWay)
    const confirmed = answered.filter((name) => name.startsWith('c'))
    assertHolds(await idsIn(second), [...Array.from({ length: 12 }, (_, at) => `a${at}`), ...confirmed])
    await second.upsert('p', [{ objectID: 'b', title: 'saw' }])
    const expected = await idsIn(second)
    const late: (() => Promise<unknown>)[] = [
      () => first.upsert('p', [{ objectID: 'late', title: 'drill' }]),
      () => first.remove('p', ['a0']),
      () => first.setSettings('p', { ...settings, hitsPerPage: 1 }),
      () => first.replaceAll('p', [], settings),
      () => first.upsert('new', [{ objectID: 'late' }]),
      () => first.deleteIndex('p'),
    ]
    for (const write of late) await assert.rejects(write, { name: 'WriterFencedError', status: 503 })
    await first.close()
    for (let at = 0; at < 12; at++) await second.upsert('p', [{ objectID: `b${at}`, title: 'saw' }])
    for (let at = 0; at < 12; at++) expected.add(`b${at}`)
    await sleep(200)
    assert.deepEqual(await idsIn(second), expected)
    assert.deepEqual(await idsIn(reader), expected)
    assert.deepEqual((await second.settings('p')).hitsPerPage, settings.hitsPerPage)
    await second.close()
    await reader.close()
  })
})

test('V-61: of writers that start concurrently exactly one succeeds, every time, and nothing it confirmed is lost', async () => {
  await withFolder(async (directory) => {
    const confirmed: string[] = []
    for (let round = 0; round < 3; round++) {
      const writers = ['x', 'y', 'z'].map((name) => ({ name: `${round}${name}`, writer: startWriter(directory, `${round}${name}`) }))
      const answers = await Promise.all(writers.map(({ writer }) => Promise.race([writer.line('ready'), writer.line('closed out')])))
      assert.deepEqual(answers.toSorted(), ['closed out WriterLeaseHeldError', 'closed out WriterLeaseHeldError', 'ready'])
      const { name, writer } = writers[answers.indexOf('ready')]!
      await writer.line(`${name}20`)
      writer.process.kill('SIGKILL')
      await Promise.all(writers.map((one) => one.writer.ended))
      confirmed.push(...confirmedBy(writer, name))
    }
    const engine = await openSearchEngine({ directory })
    assertHolds(await idsIn(engine), confirmed)
    await engine.close()
  })
})

test('a reader follows from one writer to the next', async () => {
  await withFolder(async (directory) => {
    const first = await openSearchEngine({ directory, limits: { flushDocuments: 5 } })
    await first.replaceAll(
      'p',
      Array.from({ length: 20 }, (_, at) => ({ objectID: `a${at}`, title: 'drill' })),
      settings,
    )
    const reader = await openSearchEngine({ directory, mode: 'reader', pollMs: 10 })
    const before = (await reader.search('p', { query: '', hitsPerPage: 20, attributesToHighlight: [] })).hits
    await first.close()
    const second = await openSearchEngine({ directory })
    await second.upsert('p', [{ objectID: 'b', title: 'saw' }])
    const until = Date.now() + 5_000
    while ((await reader.search('p', { query: '' })).nbHits !== 21) {
      assert.ok(Date.now() < until, 'the reader did not follow')
      await sleep(10)
    }
    const { hits } = await reader.search('p', { query: 'drill', hitsPerPage: 20, attributesToHighlight: [] })
    assert.deepEqual(new Set(hits.map((hit) => hit.objectID)), new Set(before.map((hit) => hit.objectID)))
    await second.close()
    await reader.close()
  })
})
