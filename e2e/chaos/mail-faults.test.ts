import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { messageId } from '@purlin/server/foundation/mail/jobs.ts'
import { smtpTransport } from '@purlin/server/foundation/mail/settings.ts'
import type { Target } from './faults.ts'
import { mailFaults, mailViolations } from './mail-faults.ts'
import { startMailServer } from './mail-server.ts'

const server = await startMailServer()
const smtp = smtpTransport(server.url)
after(() => {
  smtp.close()
  server.close()
})
const send = (key: string) => {
  const from = 'Purlin <orders@purlin.example>'
  return smtp.sendMail({ from, to: 'ann@example.com', subject: 'Hello', text: 'Hello', messageId: messageId({ key, sender: from }) })
}
const sent = (...keys: string[]) => ({
  query: async () => ({ rows: keys.map((key) => ({ key, sender: 'Purlin <orders@purlin.example>' })) }) as never,
})

test('a mail that is called sent and has never arrived is a violation; copies of one are counted', async () => {
  await send('one')
  await send('two')
  await send('two')
  const { violations, copies, sent: count } = await mailViolations(sent('one', 'two', 'three'), new Date(), server)
  assert.deepEqual([violations.map(({ what }) => what), copies, count], [['the mail three is said to be sent and never arrived'], 1, 3])
})

for (const fault of mailFaults(server))
  test(`F19 ${fault.name}: a mail sent meanwhile meets it, and arrives when it is sent again afterwards`, async () => {
    const injected = fault.inject({ random: () => 0 } as unknown as Target)
    const key = fault.name
    await send(key).catch(() => undefined)
    assert.equal(await injected, true)
    if (!server.arrived.has(messageId({ key, sender: 'Purlin <orders@purlin.example>' }))) await send(key)
    assert.equal((await mailViolations(sent(key), new Date(), server)).violations.length, 0)
  })

test('F19 a mail server that nobody asks has not been a fault', async () => {
  const [fault] = mailFaults(server)
  assert.equal(await fault?.inject({ random: () => 0 } as unknown as Target), false)
})
