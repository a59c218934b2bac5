import { setTimeout as sleep } from 'node:timers/promises'
import { messageId } from '@purlin/server/foundation/mail/jobs.ts'
import type pg from 'pg'
import type { Violation } from '../invariants.ts'
import type { Fault } from './faults.ts'
import type { MailIllness, MailServer } from './mail-server.ts'

/** Longer than a pause in which nobody is sent a mail. */
const patienceMs = 5000

/** `extraMs`: longer than the shop waits for an answer, so that it gives up. */
const ill = (server: MailServer, illness: MailIllness, name: string, extraMs = 0): Fault => ({
  ids: 'F19',
  name,
  inject: async ({ random }) => {
    server.fallIll(illness)
    await sleep(1000 + random() * 5000 + extraMs)
    for (const end = Date.now() + patienceMs; !server.isMet() && Date.now() < end;) await sleep(100)
    server.recover()
    return server.isMet()
  },
})

export function mailFaults(server: MailServer): Fault[] {
  return [
    ill(server, 'away', 'the mail server takes no connection'),
    ill(server, 'busy', 'the mail server takes no mail for now'),
    ill(server, 'hanging', 'the mail server does not answer'),
    ill(server, 'hanging', 'the mail server does not answer for so long that the shop gives up', 11_000),
    ill(server, 'forgetful', 'the mail server takes mails and says that it has not'),
  ]
}

const sentMails = `select key, sender from mail.mail where state = 'sent' and created_at >= $1`

/** I5: what the shop calls sent has arrived. SMTP cannot promise a single copy; all copies of a mail have one Message-ID. */
export async function mailViolations(
  pool: Pick<pg.Pool, 'query'>,
  since: Date,
  { arrived }: Pick<MailServer, 'arrived'>,
): Promise<{ sent: number; copies: number; violations: Violation[] }> {
  const { rows } = await pool.query<{ key: string; sender: string }>(sentMails, [since])
  const lost = rows.filter((mail) => !arrived.has(messageId(mail)))
  const copies = [...arrived.values()].reduce((sum, times) => sum + times - 1, 0)
  return {
    sent: rows.length,
    copies,
    violations: lost.map(({ key }) => ({ id: 'I5', what: `the mail ${key} is said to be sent and never arrived` })),
  }
}
