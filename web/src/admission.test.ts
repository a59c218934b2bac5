import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Admission, createAdmission } from './admission.ts'

function requested(admission: Admission, key: string): boolean {
  admission.request(key)
  return admission.admits(key)
}

test('a key is admitted at its second request (V-101)', () => {
  const admission = createAdmission()
  assert.equal(admission.admits('a'), false)
  const answers = ['a', 'b', 'a', 'a', 'b'].map((key) => requested(admission, key))
  assert.deepEqual(answers, [false, false, true, true, true])
})

test('requests are counted until what was popular has not been requested for two generations', () => {
  let time = 0
  // Whenever it looks at the clock, five minutes have passed.
  const admission = createAdmission({ remembered: 100, now: () => (time += 300_000) })
  for (let each = 0; each < 30; each++) admission.request('popular')
  assert.equal(admission.requestsOf('popular'), 30)
  assert.equal(admission.requestsOf('unknown'), 0)
  // A generation is 200 requests here, even if they are all for a few keys.
  for (let each = 0; each < 200; each++) admission.request(`few/${each % 5}`)
  assert.equal(admission.requestsOf('popular'), 30)
  for (let each = 0; each < 400; each++) admission.request(`few/${each % 5}`)
  assert.equal(admission.requestsOf('popular'), 0)
  assert.ok(admission.requestsOf('few/1') >= 40)
})

test('a flood of one-off keys makes it forget, but never a key requested within the last generation', () => {
  const admission = createAdmission({ remembered: 100, now: () => 0 })
  admission.request('kept')
  for (let flood = 0; flood < 10; flood++) {
    for (let each = 0; each < 90; each++) admission.request(`${flood}/${each}`)
    assert.equal(requested(admission, 'kept'), true, `after flood ${flood}`)
  }
  admission.request('lost')
  for (let each = 0; each < 250; each++) admission.request(`more/${each}`)
  assert.equal(requested(admission, 'lost'), false)
})

test('V-13 a generation lasts five minutes, however many requests are for keys it knows', () => {
  let time = 0
  const admission = createAdmission({ remembered: 100, now: () => time })
  const flood = () => {
    for (let each = 0; each < 1000; each++) admission.request('popular')
  }
  admission.request('once')
  flood()
  time = 299_999
  flood()
  assert.equal(admission.requestsOf('once'), 1)
  time = 300_000
  flood()
  assert.equal(admission.requestsOf('once'), 1, 'now it is in the older generation')
  time = 599_999
  flood()
  assert.equal(admission.requestsOf('once'), 1)
  time = 600_000
  flood()
  assert.equal(admission.requestsOf('once'), 0)
})

test('V-13 requests for however many pages of the cache leave half of the keys to pages that are not in it', () => {
  const admission = createAdmission({ remembered: 100, now: () => 0 })
  admission.request('once')
  const flood = () => {
    for (let each = 0; each < 1000; each++) admission.hit(`cached/${each}`)
  }
  flood()
  for (let each = 0; each < 50; each++) admission.request(`other/${each}`)
  flood()
  assert.equal(admission.requestsOf('once'), 1)
  assert.equal(admission.requestsOf('other/49'), 1)
  assert.equal(admission.requestsOf('cached/0'), 2)
})
