import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitingQueues, type RequestKind } from '../../foundation/platform/waiting-queues.ts'
import { rankSenders } from './rank-senders.ts'

const addressOf = (req: IncomingMessage) => String(req.headers['x-test-address'])
function responseTo(address: string): ServerResponse {
  const req = new IncomingMessage(new Socket())
  req.headers['x-test-address'] = address
  return new ServerResponse(req)
}

test('V-12 a dozen requests of a network wait as what they are, and those beyond as listings, until the first are answered', () => {
  const ranked = rankSenders(addressOf)
  const first = Array.from({ length: 12 }, () => responseTo('203.0.113.20'))
  assert.deepEqual(new Set(first.map((response) => ranked('checkout', response))), new Set(['checkout']))
  const [more, less] = [responseTo('203.0.113.20'), responseTo('203.0.113.20')]
  assert.deepEqual([ranked('checkout', more), ranked('suggestions', less)], ['listing', 'suggestions'])
  assert.equal(ranked('checkout', responseTo('203.0.113.21')), 'checkout', 'another network')
  for (const response of [...first.slice(0, 3), more, less]) response.emit('close')
  for (let nth = 0; nth < 3; nth++) assert.equal(ranked('cart', responseTo('203.0.113.20')), 'cart')
  assert.equal(ranked('cart', responseTo('203.0.113.20')), 'listing')
})

test('V-12 an IPv6 line is one network, and our own is exempt', () => {
  const ranked = rankSenders(addressOf)
  for (let nth = 0; nth < 12; nth++) ranked('cart', responseTo(`2001:db8:1:2::${nth}`))
  assert.equal(ranked('cart', responseTo('2001:db8:1:2:ffff::1')), 'listing')
  for (let nth = 0; nth < 30; nth++) assert.equal(ranked('cart', responseTo('10.0.0.5')), 'cart')
})

test('V-12 of a line with many IPv6 networks four dozen requests wait as what they are', () => {
  const ranked = rankSenders(addressOf)
  for (let nth = 0; nth < 48; nth++) assert.equal(ranked('cart', responseTo(`2001:db8:1:${nth}::1`)), 'cart')
  assert.equal(ranked('cart', responseTo('2001:db8:1:ff::1')), 'listing')
  assert.equal(ranked('cart', responseTo('2001:db8:2:ff::1')), 'cart', 'another line')
})

/** Milliseconds of the slowest of ten pages beside senders that ask again as soon as they are answered; turns take ten milliseconds. */
async function underFlood(addresses: readonly string[], each: number): Promise<number> {
  const queues = waitingQueues()
  const ranked = rankSenders(addressOf)
  let isOver = false
  const enter = async (kind: RequestKind, address: string) => {
    const response = responseTo(address)
    const leave = await queues.enter(ranked(kind, response), response)
    if (leave) await sleep(10)
    leave?.()
    response.emit('close')
    return leave !== null
  }
  const senders = addresses.flatMap((address) =>
    Array.from({ length: each }, async () => {
      while (!isOver) if (!(await enter('cart', address))) await sleep(10)
    }),
  )
  await sleep(300)
  const answered = await Promise.all(
    (['product', 'listing'] as const).flatMap((kind) =>
      Array.from({ length: 5 }, async () => {
        const startedAt = performance.now()
        return (await enter(kind, '203.0.113.99')) ? performance.now() - startedAt : Infinity
      }),
    ),
  )
  isOver = true
  await Promise.all(senders)
  queues.stop()
  return Math.max(...answered)
}

test('V-12 a network with 64 requests for the cart at a time delays pages of others by moments', async () => {
  const slowest = await underFlood(['203.0.113.20'], 64)
  assert.ok(slowest < 500, `${slowest.toFixed(0)} ms`)
})

test('V-12 eight networks that fill the queue of the cart slow the pages of others down, and do not stop them', async () => {
  const slowest = await underFlood(
    Array.from({ length: 8 }, (_, nth) => `203.0.113.${nth}`),
    12,
  )
  assert.ok(slowest < 1500, `${slowest.toFixed(0)} ms`)
})
