import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { boundBodies } from './body-time.ts'

function arriving(headers: Record<string, string>): {
  req: IncomingMessage
  receive(bytes: number): void
  isCut(): boolean
  looks(): number
} {
  const socket = new Socket()
  let bytesRead = 400
  let looks = 0
  Object.defineProperty(socket, 'bytesRead', { get: () => (looks++, bytesRead) })
  const req = new IncomingMessage(socket)
  Object.assign(req.headers, headers)
  return { req, receive: (bytes) => (bytesRead += bytes), isCut: () => socket.destroyed, looks: () => looks }
}

const file = { 'transfer-encoding': 'chunked', 'content-type': 'multipart/form-data; boundary=x' }

test('V-15 A67 a body that is no file has fifteen seconds to arrive', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const form = arriving({ 'content-length': '5000', 'content-type': 'application/x-www-form-urlencoded' })
  const bare = arriving({})
  for (const { req } of [form, bare]) boundBodies(req)
  t.mock.timers.tick(14_999)
  assert.equal(form.isCut(), false)
  t.mock.timers.tick(1)
  assert.deepEqual([form.isCut(), bare.isCut()], [true, false])
})

test('V-15 A67 whoever calls a body a file and sends it byte by byte is cut within twenty seconds; at some speed it may take longer', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const [slow, fast, stalled] = [arriving(file), arriving(file), arriving(file)]
  for (const { req } of [slow, fast, stalled]) boundBodies(req)
  stalled.receive(1_000_000)
  for (let second = 1; second <= 60; second++) {
    slow.receive(1_000)
    fast.receive(5_100)
    t.mock.timers.tick(1000)
    if (second === 10) assert.deepEqual([slow.isCut(), stalled.isCut()], [true, false])
    if (second === 20) assert.equal(stalled.isCut(), true)
  }
  assert.equal(fast.isCut(), false)
})

test('V-15 a sender is not cut while we do not read, nor after everything has arrived', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const [paused, complete, ended] = [arriving(file), arriving(file), arriving(file)]
  for (const { req } of [paused, complete, ended]) boundBodies(req)
  paused.req.pause()
  complete.req.complete = true
  ended.req.emit('end')
  t.mock.timers.tick(60_000)
  assert.deepEqual([paused.isCut(), complete.isCut(), ended.isCut()], [false, false, false])
})

test('V-15 a connection that is closed is watched no longer, although a request that was answered early never ends', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const [cut, left] = [arriving(file), arriving(file)]
  for (const { req } of [cut, left]) boundBodies(req)
  left.req.socket.destroy()
  t.mock.timers.tick(10_000)
  assert.equal(cut.isCut(), true)
  const looks = [cut.looks(), left.looks()]
  t.mock.timers.tick(60_000)
  assert.deepEqual([cut.looks(), left.looks()], looks)
})
