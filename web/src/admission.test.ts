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
  const admission = createAdmission(100)
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
  const admission = createAdmission(100)
  admission.request('kept')
  for (let flood = 0; flood < 10; flood++) {
    for (let each = 0; each < 90; each++) admission.request(`${flood}/${each}`)
    assert.equal(requested(admission, 'kept'), true, `after flood ${flood}`)
  }
  admission.request('lost')
  for (let each = 0; each < 250; each++) admission.request(`more/${each}`)
  assert.equal(requested(admission, 'lost'), false)
})
