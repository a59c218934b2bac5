import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withFolder } from '../testing/folders.ts'
import { settings } from '../testing/model.ts'
import { locate } from '../query/snapshot.ts'
import { encodeRecord, openTranslogFile, readTranslog } from './translog.ts'
import { emptyCommit, translogPath } from './commit-point.ts'
import { loadState, replayTranslogs, snapshotOf } from './index-state.ts'

const record = (sequence: number, objectID: string) =>
  encodeRecord({ sequence, kind: 'upsert', items: [Buffer.from(JSON.stringify({ objectID, title: 'drill' }))] })

test('records are read back as written, up to the first incomplete one', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'translog-1.bin')
    const log = openTranslogFile(path, 0)
    await log.append(record(1, 'a'))
    await log.append(Buffer.concat([record(2, 'b'), encodeRecord({ sequence: 3, kind: 'remove', items: [Buffer.from('a')] })]))
    log.close()
    const whole = readTranslog(path, 0)
    assert.deepEqual(
      whole.records.map(({ sequence, kind }) => [sequence, kind]),
      [
        [1, 'upsert'],
        [2, 'upsert'],
        [3, 'remove'],
      ],
    )
    for (const cut of [1, 7, 9, 20]) {
      const bytes = readFileSync(path)
      writeFileSync(join(folder, 'cut.bin'), bytes.subarray(0, bytes.length - cut))
      const cutOff = readTranslog(join(folder, 'cut.bin'), 0)
      assert.deepEqual([cutOff.records.length, cutOff.isDamaged], [2, false])
    }
    const spoilt = readFileSync(path)
    spoilt[14]! ^= 1
    writeFileSync(join(folder, 'spoilt.bin'), spoilt)
    assert.deepEqual(readTranslog(join(folder, 'spoilt.bin'), 0), { records: [], end: 0, isDamaged: true })
    assert.equal(whole.isDamaged, false)
  })
})

test('a record half written at a crash is overwritten, not skipped', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'translog-1.bin')
    writeFileSync(path, record(1, 'a'))
    appendFileSync(path, record(2, 'b').subarray(0, 11))
    const log = openTranslogFile(path, readTranslog(path, 0).end)
    await log.append(record(2, 'c'))
    log.close()
    assert.equal(readTranslog(path, 0).records.length, 2)
  })
})

test('an empty log between two others does not hide the later one', async () => {
  await withFolder(async (folder) => {
    writeFileSync(translogPath(folder, 1), record(1, 'a'))
    writeFileSync(translogPath(folder, 2), '')
    writeFileSync(translogPath(folder, 3), record(2, 'b'))
    const state = loadState({ name: 'p', folder, commit: emptyCommit(settings), open: new Map(), documentMemory: 0, isThorough: true })
    assert.equal(replayTranslogs(state, folder, 1).generation, 3)
    for (const objectID of ['a', 'b']) assert.notEqual(locate(snapshotOf(state), objectID), null)
  })
})
