import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../scripts/free-ports.ts'
import { bindSharedPort } from './shared-port.ts'

const port = await freePorts()
const shared = bindSharedPort(port)
after(() => shared?.close())
const skip = shared === null && 'sockets have no descriptors here'

/** Each turn of its event loop takes 50 ms. */
const busyServer = `
  import { createServer } from 'node:http'
  import { listenShared } from './shared-port.ts'
  const server = createServer((req, res) => res.end('answered'))
  listenShared(server, { port: 0, inherited: Number(process.env.INHERITED), ready: () => process.send('ready') })
  const work = () => {
    for (const until = performance.now() + 50; performance.now() < until; );
    setImmediate(work)
  }
  work()`

async function startBusyServer(): Promise<ChildProcess> {
  const descriptors = shared?.descriptors ?? []
  const child = spawn(process.execPath, ['--input-type=module', '--eval', busyServer], {
    cwd: import.meta.dirname,
    env: { ...process.env, INHERITED: String(descriptors.length) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...descriptors],
  })
  after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

/** "answered", or the error's code. */
function askOnce(to = port): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(to, '127.0.0.1')
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    socket.once('close', () => resolve('closed'))
    socket.once('data', (data) => {
      resolve(/answered/.exec(data.toString())?.[0] ?? 'nonsense')
      socket.destroy()
    })
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  })
}

test('V-12 a process whose turns take 50 ms accepts a hundred connections within two seconds', { skip, timeout: 30_000 }, async () => {
  const child = await startBusyServer()
  const startedAt = performance.now()
  const answers = await Promise.all(Array.from({ length: 100 }, () => askOnce()))
  const tookMs = performance.now() - startedAt
  assert.deepEqual(new Set(answers), new Set(['answered']))
  assert.ok(tookMs < 2000, `${tookMs.toFixed(0)} ms`)
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test(
  'V-13 when a process is killed its connections fail at once, and the other one answers all that follow',
  { skip, timeout: 30_000 },
  async () => {
    const [killed] = await Promise.all([startBusyServer(), startBusyServer()])
    const before = Array.from({ length: 40 }, () => askOnce())
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const outcomes = await Promise.all([...before, ...Array.from({ length: 40 }, () => askOnce())])
    assert.ok(
      outcomes.every((outcome) => ['answered', 'closed', 'ECONNRESET'].includes(outcome)),
      outcomes.join(),
    )
    assert.deepEqual(new Set(outcomes.slice(40)), new Set(['answered']))
  },
)

/** Stops as a web process does: it closes at a quiet moment and finishes what it has begun. */
const stoppingServer = `
  import { createServer } from 'node:http'
  import { listenShared } from './shared-port.ts'
  const server = createServer((req, res) => setTimeout(() => res.setHeader('connection', 'close').end('answered'), 5))
  const stopAccepting = listenShared(server, { port: 0, inherited: Number(process.env.INHERITED), ready: () => process.send('ready') })
  process.once('message', async () => {
    await stopAccepting()
    server.close(() => process.disconnect())
  })`

test(
  'V-17 F14 when all processes of a port stop, each new connection is answered or refused, and none waits to be reset',
  { skip, timeout: 30_000 },
  async () => {
    const ownPort = await freePorts()
    const own = bindSharedPort(ownPort)
    const descriptors = own?.descriptors ?? []
    const children = [0, 1].map(() =>
      spawn(process.execPath, ['--input-type=module', '--eval', stoppingServer], {
        cwd: import.meta.dirname,
        env: { ...process.env, INHERITED: String(descriptors.length) },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...descriptors],
      }),
    )
    after(() => children.forEach((child) => child.kill('SIGKILL')))
    await Promise.all(children.map((child) => once(child, 'message')))
    const asked: Promise<string>[] = []
    const asking = setInterval(() => asked.push(askOnce(ownPort)), 10)
    await sleep(500)
    const ended = children.map((child) => once(child, 'exit'))
    own?.close()
    for (const child of children) child.send('stop')
    await Promise.all(ended)
    await sleep(200)
    clearInterval(asking)
    const outcomes = await Promise.all(asked)
    const others = outcomes.filter((outcome) => outcome !== 'answered' && outcome !== 'ECONNREFUSED')
    // The kernel has no way to close a socket and accept what has arrived in the same moment.
    assert.ok(others.length <= 1, others.join())
    assert.ok(outcomes.includes('ECONNREFUSED') && outcomes.lastIndexOf('answered') < outcomes.indexOf('ECONNREFUSED'))
  },
)
