import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  historyKey,
  previousStatusKey,
  readEntries,
  recordView,
  syncHistory,
  withView,
  type HistoryCalls,
  type HistoryEntry,
} from './product-history.ts'

const page = { cookie: 'mm_consent=v1:userPreferences' }
Object.defineProperty(globalThis, 'document', { value: page, configurable: true })

function storageOf(given: Record<string, string> = {}): Storage {
  const all = new Map(Object.entries(given))
  return {
    get length() {
      return all.size
    },
    clear: () => all.clear(),
    key: (at) => [...all.keys()][at] ?? null,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  }
}
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const entry = (productId: string, days = 0): HistoryEntry => ({ productId, viewedAt: ago(days) })
const ids = (entries: readonly HistoryEntry[]) => entries.map(({ productId }) => productId)
const guest = { hasRetrievedAuthStatus: true, isAuthenticated: false, isB2B: false, userId: null }
const unknown = { ...guest, hasRetrievedAuthStatus: false }
const consumer = { ...guest, isAuthenticated: true, isB2B: false, userId: 'a' }
const another = { ...consumer, userId: 'b' }
const professional = { ...guest, isAuthenticated: true, isB2B: true, userId: 'p' }
const withLocal = (...entries: HistoryEntry[]) => storageOf({ [historyKey]: JSON.stringify(entries), [previousStatusKey]: 'guest' })
const calls = (more: Partial<HistoryCalls> = {}): HistoryCalls => ({
  merge: () => Promise.reject(new Error('not expected')),
  fetch: () => Promise.reject(new Error('not expected')),
  ...more,
})

test('R-401 at most 20 products of three months are kept, each once, the last viewed first', () => {
  let entries: HistoryEntry[] = []
  for (let at = 1; at <= 25; at++) entries = withView(entries, String(at), new Date(Date.now() + at))
  assert.equal(entries.length, 20)
  assert.deepEqual(ids(entries).slice(0, 2), ['25', '24'])
  assert.deepEqual(ids(withView(entries, '10', new Date(Date.now() + 99))).slice(0, 2), ['10', '25'])
  assert.deepEqual(ids(readEntries(withLocal(entry('1', 95), entry('2', 80)))), ['2'])
})

test('what others have written into the storage is ignored', () => {
  for (const text of [
    '',
    '{',
    'null',
    '7',
    '[1]',
    '[{"productId":"<b>","viewedAt":"2026-11-01"}]',
    '[{"productId":"1","viewedAt":"never"}]',
  ])
    assert.deepEqual(readEntries(storageOf({ [historyKey]: text })), [], text)
})

test('R-430 R-471 a guest’s history is fetched from the browser without any call', async () => {
  const state = await syncHistory(guest, withLocal(entry('1')), calls())
  assert.deepEqual([state.status, state.isFetched, ids(state.entries)], ['fetched', true, ['1']])
})

test('R-472 R-473 at the first page after signing in, the browser’s history is merged, and only then', async () => {
  const storage = withLocal(entry('1'), entry('2', 1))
  const merged: string[][] = []
  const merge = async (given: readonly HistoryEntry[]) => {
    merged.push(ids(given))
    return [...given, entry('9', 5)]
  }
  const state = await syncHistory(consumer, storage, calls({ merge }))
  assert.deepEqual([state.status, ids(state.entries), merged], ['merge success', ['1', '2', '9'], [['1', '2']]])
  assert.equal(storage.getItem(previousStatusKey), 'authenticated a')
  const next = await syncHistory(consumer, storage, calls({ merge, fetch: async () => [entry('9', 5)] }))
  assert.deepEqual([next.status, ids(next.entries), merged.length], ['fetched', ['9'], 1])
})

test('R-474 users classed as b2b skip the merge, and keep the browser’s own history, which their account does not have', async () => {
  const storage = withLocal(entry('1'))
  for (const page of ['first', 'second']) {
    const state = await syncHistory(professional, storage, calls())
    assert.deepEqual([state.status, ids(state.entries), ids(readEntries(storage))], ['fetched', ['1'], ['1']], page)
  }
})

test('R-474 while nobody knows who the visitor is, the history of a professional is neither removed nor shown, and a guest’s stays', async () => {
  for (const [status, shown] of [
    ['authenticated p', []],
    ['guest', ['1']],
  ] as const) {
    const storage = storageOf({ [historyKey]: JSON.stringify([entry('1')]), [previousStatusKey]: status })
    const state = await syncHistory(unknown, storage, calls())
    assert.deepEqual([state.status, state.isFetched, ids(state.entries)], ['failed', false, shown])
    assert.deepEqual([storage.getItem(previousStatusKey), ids(readEntries(storage))], [status, ['1']])
    assert.deepEqual(ids((await syncHistory(professional, storage, calls())).entries), ['1'])
  }
})

test('what a browser holds of one customer is left neither to a guest nor to the next customer', async () => {
  const nothing = calls({ merge: () => assert.fail('nothing of a customer is merged into another account'), fetch: async () => [] })
  const after = async (...visitors: (typeof guest | typeof consumer)[]) => {
    const storage = storageOf()
    await syncHistory(consumer, storage, calls({ fetch: async () => [entry('1')] }))
    assert.deepEqual(ids(readEntries(storage)), ['1'])
    for (const visitor of visitors) await syncHistory(visitor, storage, nothing)
    return ids(readEntries(storage))
  }
  assert.deepEqual(await after(guest), [])
  assert.deepEqual(await after(guest, another), [])
  assert.deepEqual(await after(another), [])
  assert.deepEqual(await after(professional), [])

  const storage = storageOf({ [historyKey]: JSON.stringify([entry('1')]), [previousStatusKey]: 'authenticated a' })
  const down = await syncHistory(another, storage, calls())
  assert.deepEqual([down.status, down.entries], ['failed', []], 'nor when the account cannot be reached')
})

test('R-472 R-475 R-615 a failed merge leaves an empty history, in the browser too', async () => {
  const storage = withLocal(entry('1'))
  const state = await syncHistory(consumer, storage, calls({ merge: () => Promise.reject(new Error('down')) }))
  assert.deepEqual([state.status, state.entries, readEntries(storage)], ['merge failure', [], []])
})

test('R-471 a history that cannot be fetched has the state failed, and the browser’s own is shown', async () => {
  const storage = withLocal(entry('1'))
  storage.setItem(previousStatusKey, 'authenticated a')
  const state = await syncHistory(consumer, storage, calls())
  assert.deepEqual([state.status, state.isFetched, ids(state.entries)], ['failed', false, ['1']])
})

test('R-471 a consumer’s view that does not reach the account, because the session or the call fails, is sent by the next page that knows them, a minute after a failed call, once', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const account = [entry('1', 2)]
  const sent: string[][] = []
  const up = calls({
    fetch: async () => account,
    merge: async (given) => {
      sent.push(ids(given))
      account.unshift(...given.map(({ productId, viewedAt }) => ({ productId, viewedAt })))
      return account
    },
  })
  const storage = storageOf()
  await syncHistory(consumer, storage, up)
  await syncHistory(unknown, storage, up)
  await recordView(unknown, '77', storage, up)
  assert.deepEqual([sent, ids(readEntries(storage))], [[], ['77', '1']])

  const failed = await syncHistory(consumer, storage, calls())
  assert.deepEqual([failed.status, ids(failed.entries)], ['failed', ['77', '1']], 'nor is it lost when sending fails again')
  t.mock.timers.tick(60_000)
  const state = await syncHistory(consumer, storage, up)
  assert.deepEqual([state.status, ids(state.entries), sent], ['fetched', ['77', '1'], [['77']]])

  await recordView(consumer, '78', storage, calls())
  t.mock.timers.tick(60_000)
  await syncHistory(consumer, storage, up)
  await recordView(consumer, '79', storage, up)
  await syncHistory(consumer, storage, up)
  assert.deepEqual(ids(readEntries(storage)).toSorted(), ['1', '77', '78', '79'])
  assert.deepEqual(sent.slice(1), [['78'], ['79']])

  await recordView(unknown, '80', storage, up)
  await syncHistory(another, storage, calls({ fetch: async () => [] }))
  assert.deepEqual(readEntries(storage), [], 'nothing of it reaches another customer')
})

test('after a view could not be sent, the browser’s are shown, and nothing is sent or fetched for a minute, whatever is viewed; then all are sent together', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const storage = storageOf({ [previousStatusKey]: 'authenticated a' })
  let refused = 0
  const busy = calls({
    merge: () => (refused++, Promise.reject(new Error('503'))),
    fetch: () => (refused++, Promise.reject(new Error('503'))),
  })
  await recordView(consumer, '1', storage, busy)
  for (const product of ['2', '3']) {
    t.mock.timers.tick(29_000)
    const state = await syncHistory(consumer, storage, busy)
    assert.deepEqual([state.status, state.isFetched], ['failed', false])
    await recordView(consumer, product, storage, busy)
  }
  assert.deepEqual([refused, ids(readEntries(storage))], [1, ['3', '2', '1']])
  t.mock.timers.tick(3_000)
  const sent: string[][] = []
  const state = await syncHistory(
    consumer,
    storage,
    calls({ merge: async (given) => (sent.push(ids(given)), given.map(({ productId, viewedAt }) => ({ productId, viewedAt }))) }),
  )
  assert.deepEqual([state.status, sent], ['fetched', [['3', '2', '1']]])
})

test('what another tab stores while a view is being sent is not lost when sending fails, and is sent with it later', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const storage = storageOf({ [previousStatusKey]: 'authenticated a' })
  const fails = () => {
    t.mock.timers.tick(1_000)
    storage.setItem(historyKey, JSON.stringify(withView(readEntries(storage), '2')))
    return Promise.reject(new Error('503'))
  }
  await recordView(consumer, '1', storage, calls({ merge: fails }))
  assert.deepEqual(ids(readEntries(storage)), ['2', '1'])
  t.mock.timers.tick(59_000)
  await syncHistory(consumer, storage, calls({ merge: () => assert.fail('the shop is left alone for a minute') }))
  t.mock.timers.tick(1_000)
  const sent: string[][] = []
  await syncHistory(consumer, storage, calls({ merge: async (given) => (sent.push(ids(given)), []) }))
  assert.deepEqual(sent, [['2', '1']])
})

test('what another tab could not send stays when this one succeeds, and is sent later', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const storage = storageOf({ [previousStatusKey]: 'authenticated a' })
  const account = [entry('9')]
  const meanwhile = (productId: string, known: readonly HistoryEntry[]) => {
    t.mock.timers.tick(1_000)
    storage.setItem(historyKey, JSON.stringify(withView(readEntries(storage), productId)))
    return Promise.resolve([...known, ...account])
  }
  const merged = calls({
    merge: (given) =>
      meanwhile(
        '2',
        given.map(({ productId, viewedAt }) => ({ productId, viewedAt })),
      ),
  })
  await recordView(consumer, '1', storage, merged)
  assert.deepEqual(ids(readEntries(storage)), ['2', '1', '9'])
  const sent: string[][] = []
  const again = calls({ merge: async (given) => (sent.push(ids(given)), [entry('2'), entry('1'), ...account]) })
  await syncHistory(consumer, storage, again)
  assert.deepEqual(sent, [['2']])

  const fetched = await syncHistory(consumer, storage, calls({ fetch: () => meanwhile('3', []) }))
  assert.deepEqual(ids(fetched.entries), ['3', '9'])
})

test('a refusal that comes after a withdrawal leaves nothing behind', async () => {
  const storage = storageOf({ [previousStatusKey]: 'authenticated a' })
  const refuses = () => {
    page.cookie = 'mm_consent=v1:'
    return Promise.reject(new Error('503'))
  }
  await recordView(consumer, '77', storage, calls({ merge: refuses }))
  assert.equal(storage.getItem(historyKey), null)
  page.cookie = 'mm_consent=v1:userPreferences'
})

test('an answer of the account that comes after a withdrawal is not stored', async () => {
  const storage = storageOf()
  const withdrawn = () => {
    page.cookie = 'mm_consent=v1:'
    return Promise.resolve([entry('1')])
  }
  await syncHistory(consumer, storage, calls({ fetch: withdrawn }))
  assert.equal(storage.getItem(historyKey), null)
  page.cookie = 'mm_consent=v1:userPreferences'
  await recordView(consumer, '77', storage, calls({ merge: withdrawn }))
  assert.equal(storage.getItem(historyKey), null)
  page.cookie = 'mm_consent=v1:userPreferences'
})
