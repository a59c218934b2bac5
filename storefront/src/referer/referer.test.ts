import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idInQuery, keepClick, refererKey, storedClick, storedRefererId } from './referer.ts'

test('R-492 R-493 referer and publisher ids of the query are numeric, else ignored', () => {
  assert.equal(idInQuery('referer_id', '?referer_id=12'), '12')
  for (const search of ['', '?referer_id=', '?referer_id=12a', '?referer_id=-1', '?referer_id=1.5', '?REFERER_ID=1'])
    assert.equal(idInQuery('referer_id', search), null, search)
  assert.equal(idInQuery('publisher_id', '?publisher_id=7&referer_id=8'), '7')
  assert.equal(idInQuery('publisher_id', '?publisher_id=seven'), null)
})

test('R-494 R-696 the referer id is kept in local storage; one that is not numeric is deleted', () => {
  const removed: string[] = []
  const storage = (value: string | null) => ({ getItem: () => value, removeItem: (key: string) => void removed.push(key) })
  assert.deepEqual([storedRefererId(storage('12')), storedRefererId(storage(null)), removed], ['12', null, []])
  assert.deepEqual([storedRefererId(storage('12; x')), removed], [null, [refererKey]])
})

test('R-495 R-496 R-695 the ad-click cookie counts with an id and an expiry in the future, and is deleted otherwise', () => {
  const page = { cookie: '' }
  keepClick(page, '?gclid=Cj0KC_q-1', 1000)
  assert.match(page.cookie, /^mm_gclid_session=/)
  const kept = { cookie: `a=b; ${page.cookie.split('; ')[0]}` }
  assert.equal(storedClick(kept, 2000), 'Cj0KC_q-1')
  const cookieOf = (value: unknown) => ({ cookie: `mm_gclid_session=${encodeURIComponent(JSON.stringify(value))}` })
  for (const value of [
    { id: 'x' },
    { expires: 9000 },
    { id: '', expires: 9000 },
    { id: 'x', expires: 2000 },
    { id: 'x', expires: '9000' },
    'x',
    null,
  ]) {
    const other = cookieOf(value)
    assert.equal(storedClick(other, 2000), null)
    assert.equal(other.cookie, 'mm_gclid_session=; path=/; max-age=0', JSON.stringify(value))
  }
  const untouched = { cookie: 'a=b' }
  keepClick(untouched, '?gclid=%3Cscript%3E')
  assert.deepEqual([storedClick(untouched), untouched.cookie], [null, 'a=b'])
})
