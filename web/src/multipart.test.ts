import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readForm } from './body.ts'
import type { FormFiles, ReadForm } from './form-files.ts'
import { listen } from './testing.ts'

/** A server that accepts forms with up to two photos, and stores those not called "bad". */
async function server(files?: FormFiles) {
  const read: ReadForm[] = []
  const { ask, close } = await listen((req, res) => {
    void readForm(req, files).then((form) => {
      read.push(form)
      res.writeHead(form.ok ? 200 : form.status, { connection: 'close' }).end()
    })
  })
  const post = async (body: string, type = 'multipart/form-data; boundary=x', headers: Record<string, string> = {}) => {
    const { status } = await ask('/', { method: 'POST', headers: { 'content-type': type, ...headers }, body })
    const form = read.at(-1)
    return { status, form: form?.ok ? form.form : null }
  }
  return { post, close }
}
const taken: string[] = []
const photos: FormFiles = {
  fields: { photo: 2 },
  take: async (name, source) => {
    const content = await text(source)
    if (name.startsWith('bad')) return { ok: false, reason: 'wrong-type' }
    taken.push(content)
    return { ok: true, id: `id${taken.length}`, name }
  },
}
const field = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, fileName: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: image/png\r\n\r\n${content}\r\n`
const end = '--x--\r\n'

test('V-58 a form with files has its normal fields, and accepted files as values of theirs', async () => {
  const { post, close } = await server(photos)
  const { form } = await post(
    field('note', 'Größe') + file('photo', 'a.png', 'one') + file('photo', 'b c.png', 'two') + field('after', '1') + end,
  )
  assert.deepEqual([form?.get('note'), form?.all('photo'), form?.get('after')], ['Größe', ['id1 a.png', 'id2 b c.png'], '1'])
  assert.deepEqual(taken.splice(0), ['one', 'two'])
  await close()
})

test('V-58 a field without a file, an unexpected file, one too many, and a refused one', async () => {
  const { post, close } = await server(photos)
  assert.deepEqual((await post(file('photo', '', '') + end)).form?.all('photo'), [])
  assert.deepEqual((await post(file('other', 'a.png', 'x') + end)).form?.names(), [])
  const { form } = await post(field('photo', 'id0 kept.png') + file('photo', 'bad.png', 'x') + file('photo', 'c.png', 'x') + end)
  assert.deepEqual(form?.all('photo'), ['id0 kept.png'])
  assert.deepEqual(
    form?.refusedFiles.map(({ name, fault }) => [name, fault]),
    [
      ['bad.png', 'wrong-type'],
      ['c.png', 'too-many-files'],
    ],
  )
  taken.length = 0
  await close()
})

test('A66 A68 a body that is not a form, too large or in too many parts is refused', async () => {
  const { post, close } = await server(photos)
  assert.equal((await post(field('a', 'b') + end, 'multipart/form-data')).status, 400)
  assert.equal((await post(field('a', 'b'))).status, 400)
  assert.equal((await post(field('note', 'x'.repeat(70_000)) + end)).status, 413)
  assert.equal((await post(Array.from({ length: 1_100 }, (_, at) => field(`f${at}`, 'x')).join('') + end)).status, 413)
  assert.equal((await post(Array.from({ length: 30 }, () => file('photo', 'a.png', 'x')).join('') + end)).status, 413)
  taken.length = 0
  await close()
})

test('A68 a form without file fields accepts none', async () => {
  const { post, close } = await server()
  assert.equal((await post(file('photo', 'a.png', 'x') + end)).status, 415)
  await close()
})

test('A67 a sender that disconnects in the middle of a file aborts its storage', async () => {
  let ended: string | undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting: FormFiles = {
    fields: { photo: 1 },
    take: (_name, source) =>
      text(source).then(
        () => ({ ok: true, id: 'x', name: '' }),
        (error: unknown) => {
          ended = String(error)
          resolve()
          return { ok: false, reason: 'damaged' }
        },
      ),
  }
  const { port, close } = await listen((req, res) => void readForm(req, waiting).then(() => res.end()))
  const { connect } = await import('node:net')
  const socket = connect(port, '127.0.0.1')
  const body = file('photo', 'a.png', 'x'.repeat(1000))
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n${body.slice(0, 500)}`,
  )
  await sleep(100)
  socket.destroy()
  await promise
  assert.match(ended ?? '', /refused|aborted|close/)
  await close()
})
