import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { UnavailableError } from '#platform'
import { folderStore } from './folder-store.ts'
import { TooLargeError, type ObjectStore } from './object-store.ts'
import { s3Store } from './s3-store.ts'
import { fakeS3, signatureOf } from './s3-testing.ts'

const directory = mkdtempSync(join(tmpdir(), 'files-'))
const s3 = await fakeS3()
after(async () => {
  await s3.close()
  rmSync(directory, { recursive: true, force: true })
})

const stores: [name: string, store: ObjectStore][] = [
  ['a folder', folderStore(directory)],
  ['S3', s3Store(s3.settings)],
]
const options = { type: 'image/png', maxBytes: 5_000_000 }
const read = async (store: ObjectStore, key: string) => {
  const object = await store.get(key)
  return object && { bytes: object.bytes, text: (await buffer(object.stream)).toString() }
}
async function* slowly(...chunks: string[]) {
  for (const chunk of chunks) {
    await sleep(5)
    yield Buffer.from(chunk)
  }
}

for (const [name, store] of stores) {
  test(`${name} stores a stream byte for byte and deletes it on request`, async () => {
    const key = 'public/product-picture/abc.png'
    const written = await store.put(key, slowly('one ', 'two ', 'three'), options)
    assert.deepEqual(written, { bytes: 13, sha256: createHash('sha256').update('one two three').digest('hex') })
    assert.deepEqual(await read(store, key), { bytes: 13, text: 'one two three' })
    await store.put(key, slowly('again'), options)
    assert.equal((await read(store, key))?.text, 'again')
    await store.delete(key)
    assert.equal(await store.get(key), null)
    await store.delete(key)
  })

  test(`${name} streams megabytes and refuses one byte too many without storing any`, async () => {
    const chunk = Buffer.alloc(100_000, 7)
    const key = 'private/upload/large.png'
    await assert.rejects(
      store.put(
        key,
        Array.from({ length: 31 }, () => chunk),
        { ...options, maxBytes: 3_000_000 },
      ),
      TooLargeError,
    )
    assert.equal(await store.get(key), null)
    const { bytes } = await store.put(
      key,
      Array.from({ length: 30 }, () => chunk),
      { ...options, maxBytes: 3_000_000 },
    )
    assert.equal(bytes, 3_000_000)
    const object = await store.get(key)
    object?.stream.destroy()
    assert.equal(object?.bytes, 3_000_000)
  })

  test(`${name} stores nothing of an aborted stream and still serves the previous object`, async () => {
    const key = 'private/upload/broken.png'
    await store.put(key, slowly('whole'), options)
    async function* broken() {
      yield Buffer.from('half')
      await sleep(5)
      throw new Error('the sender went away')
    }
    await assert.rejects(store.put(key, broken(), options), /went away/)
    assert.equal((await read(store, key))?.text, 'whole')
  })

  for (const key of [
    '../outside.png',
    'public/../../etc/passwd.png',
    '/etc/passwd.png',
    'a//b.png',
    'a/b',
    'a/.hidden.png',
    'a\\b.png',
    'a/b.png?x=1',
    '',
  ])
    test(`A61 ${name} rejects the key "${key}"`, async () => {
      await assert.rejects(async () => store.put(key, slowly('x'), options), /not a key/)
      await assert.rejects(async () => store.get(key), /not a key/)
      await assert.rejects(async () => store.delete(key), /not a key/)
    })
}

test('no temporary files are left in the folder', () => {
  assert.deepEqual(existsSync(join(directory, '.spool')) ? readdirSync(join(directory, '.spool')) : [], [])
})

test('the signature check agrees with the example published by AWS', () => {
  const { given, right } = signatureOf(
    {
      method: 'GET',
      url: '/test.txt',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'x-amz-date': '20130524T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      },
    },
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  )
  assert.equal(right, given)
})

test('S3 receives the content type, and refuses a wrong secret', async () => {
  const [, [, store] = []] = stores
  await store?.put('public/product-picture/typed.png', slowly('x'), options)
  assert.equal(s3.objects.get('/purlin/public/product-picture/typed.png')?.type, 'image/png')
  const wrong = s3Store({ ...s3.settings, secretAccessKey: 'guessed' })
  await assert.rejects(wrong.get('public/product-picture/typed.png'), /403.*SignatureDoesNotMatch/)
})

test('a request that S3 throttles is retried with its body', async () => {
  const [, [, store] = []] = stores
  s3.failNext(2)
  await store?.put('private/upload/retried.png', slowly('kept'), options)
  assert.equal(s3.objects.get('/purlin/private/upload/retried.png')?.body.toString(), 'kept')
})

test('an S3 outage is reported as unavailable, not as an internal error', async () => {
  const away = s3Store({ ...s3.settings, endpoint: 'http://127.0.0.1:1' })
  await assert.rejects(away.get('private/upload/x.png'), UnavailableError)
})
