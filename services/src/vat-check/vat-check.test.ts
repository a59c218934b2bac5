import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hmrcService } from '@purlin/server/people/tax/hmrc-service.ts'
import type { VatService } from '@purlin/server/people/tax/vat-service.ts'
import type { VatAnswer } from '@purlin/server/people/tax/vat-state.ts'
import { viesService } from '@purlin/server/people/tax/vies-service.ts'
import { startVatCheck } from './index.ts'
import type { Mood } from './register.ts'

/** The shop's VIES and HMRC clients against the embedded registers, which respond like the real ones. */

let mood: Mood | undefined
const traders = [
  { vatNumber: 'FR76000041020', name: 'ELECTRICITE MERCIER', address: '12 RUE DES ATELIERS\n69003 LYON' },
  { vatNumber: 'DE900041134', name: 'Malerbetrieb Krause GmbH', address: 'Farbstr. 8' },
  { vatNumber: 'GB000410171', name: 'HARTLEY ROOFING LTD', address: '4 Slate Yard, Sheffield, S1 2AB' },
]
const server = await startVatCheck({ port: 0, traders, slowMs: 300, misbehave: () => mood })
after(() => server.close())
const url = `http://127.0.0.1:${server.port}`
const vies = viesService({ url: `${url}/taxation_customs/vies/rest-api` })
const hmrc = hmrcService({ url, clientId: 'shop', clientSecret: 'secret' })
const signal = () => AbortSignal.timeout(10_000)

async function ask(service: VatService, number: string, requester: string | null = null): Promise<Omit<VatAnswer, 'body'>> {
  const { body: _, ...answer } = await service.check(number, { requester, signal: signal() })
  return answer
}

test('VIES returns name, address and, for an identified requester, a consultation number; some states withhold names', async () => {
  const { consultationNumber, ...named } = { consultationNumber: null, ...(await ask(vies, 'FR76000041020', 'FR76000041020')) }
  assert.deepEqual(named, { outcome: 'valid', name: 'ELECTRICITE MERCIER', address: '12 RUE DES ATELIERS, 69003 LYON' })
  assert.match(String(consultationNumber), /^WAPI/)
  assert.deepEqual(await ask(vies, 'DE900041134'), { outcome: 'valid', name: null, address: null, consultationNumber: null })
  assert.equal((await ask(vies, 'DE900040400')).outcome, 'not-valid')
})

test('HMRC issues a token first, then returns name, address and consultation number; an unknown number is not found', async () => {
  const { consultationNumber, ...named } = { consultationNumber: null, ...(await ask(hmrc, 'GB000410171', 'GB000411168')) }
  assert.deepEqual(named, { outcome: 'valid', name: 'HARTLEY ROOFING LTD', address: '4 Slate Yard, Sheffield, S1 2AB, GB' })
  assert.match(String(consultationNumber), /^\w{3}-\w{3}-\w{4}$/)
  assert.equal((await ask(hmrc, 'GB004040057')).outcome, 'not-valid')
  assert.deepEqual(await ask(hmrcService({ url, clientId: '', clientSecret: '' }), 'GB000410171'), {
    outcome: 'unanswered',
    fault: 'NO_TOKEN',
  })
})

const faults: [Mood, vies: string, hmrc: string][] = [
  ['not-available', 'MS_UNAVAILABLE', 'INTERNAL_SERVER_ERROR'],
  ['rate-limited', 'MS_MAX_CONCURRENT_REQ', 'MESSAGE_THROTTLED_OUT'],
  ['answers-html', 'HTTP_503', 'HTTP_503'],
  ['slow', 'HTTP_504', 'HTTP_504'],
]
for (const [name, fromVies, fromHmrc] of faults) {
  test(`a register that is ${name} gives no result for the number`, async () => {
    mood = name
    try {
      assert.deepEqual(await ask(vies, 'FR76000041020'), { outcome: 'unanswered', fault: fromVies })
      assert.deepEqual(await ask(hmrc, 'GB000410171'), { outcome: 'unanswered', fault: fromHmrc })
    } finally {
      mood = undefined
    }
  })
}

test('an unreachable register gives no result either; a stopping worker records none', async () => {
  const gone = viesService({ url: 'http://127.0.0.1:1' })
  assert.deepEqual(await ask(gone, 'FR76000041020'), { outcome: 'unanswered', fault: 'NO_REPLY' })
  const stopped = AbortSignal.abort()
  await assert.rejects(vies.check('FR76000041020', { requester: null, signal: stopped }))
})

test('outages in the demo pass after two queries, while a contradictory register stays contradictory', async () => {
  const outcomes = async (number: string) => {
    const seen = []
    for (let time = 0; time < 3; time++) seen.push((await ask(number.startsWith('GB') ? hmrc : vies, number)).outcome)
    return seen
  }
  assert.deepEqual(await outcomes('FR83000050302'), ['unanswered', 'unanswered', 'valid'])
  assert.deepEqual(await outcomes('GB004290027'), ['unanswered', 'unanswered', 'valid'])
  assert.deepEqual(await outcomes('FR28000040907'), ['valid', 'not-valid', 'valid'])
})
