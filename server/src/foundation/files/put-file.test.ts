import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { folderStore } from './folder-store.ts'
import { jobs, schedules } from './jobs.ts'
import { connectObjectStore, objectStore } from './object-store.ts'
import { fileHeaders, openFile, publicAddress, putFile, removeFile } from './index.ts'
import { routes } from './rest.ts'
import { insertFile, type StoredFile } from './store.ts'

const database = await testDatabase({ upTo: 'files' })
const { db } = database
const directory = mkdtempSync(join(tmpdir(), 'put-file-'))
connectObjectStore(folderStore(directory))
after(() => rmSync(directory, { recursive: true, force: true }))
const app = fastify()
routes(app)

const picture = [Buffer.from('bytes of a picture')]
async function stored(kind: 'product-picture' | 'upload', name?: string): Promise<StoredFile> {
  const put = await putFile(db, picture, { kind, owner: 'product:7', type: 'image/png', ...(name !== undefined && { name }) })
  assert.ok(put.ok)
  return put.file
}

/** Whether the store has an object with this key. */
async function isStored(key: string): Promise<boolean> {
  const object = await objectStore().get(key)
  object?.stream.destroy()
  return object !== null
}

test('a public picture has an unguessable address and is served with its type, cacheable for ever', async () => {
  const [first, second] = [await stored('product-picture'), await stored('product-picture')]
  assert.match(publicAddress(first.key), /^\/files\/product-picture\/[\w-]{22}\.png$/)
  assert.notEqual(first.key, second.key)
  const { statusCode, headers, body } = await app.inject(publicAddress(first.key))
  assert.deepEqual([statusCode, body], [200, 'bytes of a picture'])
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
  const again = await app.inject({ url: publicAddress(first.key), headers: { 'if-none-match': String(headers.etag) } })
  assert.equal(again.statusCode, 304)
})

test('a private file has no address; its owner can download it, and no cache stores it', async () => {
  const { key } = await stored('upload', 'Rechnung "März".png')
  assert.throws(() => publicAddress(key), /not a public file/)
  const name = key.split('/').at(-1)
  for (const path of [
    `/files/upload/${name}`,
    `/files/private/${name}`,
    `/files/product-picture/${name}`,
    `/files/..%2Fprivate%2Fupload/${name}`,
  ])
    assert.equal((await app.inject(path)).statusCode, 404, path)
  const opened = await openFile(db, key)
  assert.equal((await buffer(opened!.stream)).toString(), 'bytes of a picture')
  const headers = fileHeaders({ type: 'application/pdf', name: opened!.file.name, isPublic: false })
  assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''Rechnung%20%22M%C3%A4rz%22.png")
  assert.equal(headers['cache-control'], 'private, no-store')
})

test('a file of a type its kind does not allow, or over the size limit, is refused and leaves nothing behind', async () => {
  assert.deepEqual(await putFile(db, picture, { kind: 'upload', owner: 'customer:1', type: 'image/svg+xml' }), {
    ok: false,
    reason: 'wrong-type',
  })
  const megabyte = Buffer.alloc(1_000_000)
  const large = Array.from({ length: 11 }, () => megabyte)
  assert.deepEqual(await putFile(db, large, { kind: 'upload', owner: 'customer:2', type: 'image/png' }), {
    ok: false,
    reason: 'too-large',
    maxBytes: 10_000_000,
  })
  const ready = await db.rows({ name: 'test.ready', text: `select 1 from files.file where owner like 'customer:%' and state = 'ready'` })
  assert.equal(ready.length, 0)
})

test('a removed file is gone with its transaction, and its bytes soon after; after a rollback it stays', async () => {
  const { key } = await stored('product-picture')
  await assert.rejects(
    database.command({}, async (scope) => {
      assert.equal(await removeFile(scope.db, key), true)
      throw new Error('something else went wrong')
    }),
    /something else/,
  )
  const kept = await openFile(db, key)
  kept?.stream.destroy()
  assert.ok(kept)
  await database.command({}, (scope) => removeFile(scope.db, key))
  assert.equal(await openFile(db, key), null)
  await runWork(database, [], jobs)
  assert.equal(await isStored(key), false)
  assert.equal(await database.command({}, (scope) => removeFile(scope.db, key)), false)
  assert.equal((await app.inject(publicAddress(key))).statusCode, 404)
})

test('the remains of an upload cut off by a crash are deleted a day later', async () => {
  const key = 'private/upload/abandoned-0000000000000.png'
  await insertFile(db, { key, owner: 'customer:3', kind: 'upload', name: null, type: 'image/png' })
  await objectStore().put(key, picture, { type: 'image/png', maxBytes: 100 })
  const sweep = async (now: Date) => {
    await database.command({ now }, (scope) => schedules[0]!.run(scope))
    await runWork(database, [], jobs)
  }
  await sweep(new Date())
  assert.equal(await isStored(key), true)
  await sweep(new Date(Date.now() + 25 * 3_600_000))
  assert.equal(await isStored(key), false)
})
