import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whenReachable } from './when-reachable.ts'

const failing = (times: number, error: Error) => {
  let attempts = 0
  return {
    attempts: () => attempts,
    work: async () => {
      if (++attempts <= times) throw error
      return 'read'
    },
  }
}

test('F3 I9 a process that starts while the database recovers waits for it instead of ending', async () => {
  const recovering = failing(2, Object.assign(new Error('the database system is not yet accepting connections'), { code: '57P03' }))
  assert.equal(await whenReachable(recovering.work), 'read')
  assert.equal(recovering.attempts(), 3)
  const cut = failing(1, new Error('Connection terminated due to connection timeout'))
  assert.equal(await whenReachable(cut.work), 'read')
})

test('F11 I9 a process that starts while its disk is full waits for space instead of ending', async () => {
  const full = failing(1, Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' }))
  assert.equal(await whenReachable(full.work), 'read')
})

test('a fault that waiting does not mend ends the process at once', async () => {
  const broken = failing(9, new Error('relation "platform.note" does not exist'))
  await assert.rejects(whenReachable(broken.work), /does not exist/)
  assert.equal(broken.attempts(), 1)
})
