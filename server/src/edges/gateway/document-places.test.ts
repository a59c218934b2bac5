import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { createDocumentPlaces } from './document-places.ts'

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()))
const closeOf = (response: ServerResponse) => {
  response.destroy()
  response.emit('close')
}

test('V-01 a place is free once the answer is made or the client is gone, and once only', () => {
  const places = createDocumentPlaces({ most: 2 })
  const [first, second] = [newResponse(), newResponse()]
  const place = places.take('203.0.113.1', first)
  assert.ok(place && places.take('203.0.113.2', second))
  assert.equal(places.take('203.0.113.3', newResponse()), null)
  place.leave(100)
  assert.ok(places.take('203.0.113.3', newResponse()))
  closeOf(first)
  assert.equal(places.take('203.0.113.4', newResponse()), null)
  closeOf(second)
  assert.ok(places.take('203.0.113.4', newResponse()))
})

test('V-01 of sixty-four places one network takes sixteen until it has read its answers, an IPv6 line no more with all its networks', () => {
  for (const addressOf of [() => '203.0.113.1', (at: number) => `2001:db8:7:${at}::1`]) {
    const places = createDocumentPlaces()
    const responses = Array.from({ length: 16 }, newResponse)
    const taken = responses.map((response, at) => places.take(addressOf(at), response))
    for (const place of taken) place?.leave(10)
    assert.ok(!taken.includes(null))
    assert.equal(places.take(addressOf(16), newResponse()), null)
    assert.ok(places.take('2001:db8:8::1', newResponse()))
    closeOf(responses[0] ?? assert.fail())
    assert.ok(places.take(addressOf(16), newResponse()))
  }
})

test('V-13 A67 of answers that nobody reads only so many bytes are held: the oldest are cut off', () => {
  const places = createDocumentPlaces({ mostUnread: 1000 })
  const responses = Array.from({ length: 4 }, newResponse)
  for (const [at, response] of responses.entries()) places.take(`203.0.113.${at}`, response)?.leave(at === 1 ? 900 : 50)
  assert.deepEqual(
    responses.map(({ destroyed }) => destroyed),
    [true, false, false, false],
  )
  closeOf(responses[1] ?? assert.fail())
  const more = newResponse()
  places.take('203.0.113.9', more)?.leave(850)
  assert.deepEqual(
    [...responses.slice(2), more].map(({ destroyed }) => destroyed),
    [false, false, false],
  )
})
