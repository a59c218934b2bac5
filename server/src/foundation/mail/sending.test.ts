import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { countJobs, listJobs, mailsAtOnce } from '#platform'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { startWorker } from '../../edges/worker/worker.ts'
import { jobs, messageId } from './jobs.ts'
import { sendMail } from './send-mail.ts'
import { smtpTransport, useMailSettings } from './settings.ts'
import { mailTemplate } from './template.ts'

/** MAILS=10000 npm test -- mail/sending */
const mails = Number(process.env['MAILS'] ?? 400)
/** Number of mails one worker sends concurrently, and so the most that a kill can interrupt. */
const atOnce = 20

const database = await testDatabase({ upTo: 'mail' })
const sender = 'Purlin <orders@purlin.example>'
const site = { market: 'gb', mode: 'b2c', origin: 'https://shop.example' } as const
const greeting = mailTemplate<{ name: string }>('test-greeting', {
  content: ({ name }) => ({ subject: `Hello ${name}`, preview: '', blocks: [{ kind: 'text', text: `Hello ${name}` }] }),
  example: () => ({ name: 'Ann' }),
})

const arrived = new Map<string, number>()
const sources = new Map<string, string>()
const recipients: string[] = []
const silent: (() => void)[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: ({ address }, _session, done) => {
    if (address.startsWith('nobody'))
      return done(Object.assign(new Error(`<${address}>: Recipient address rejected: no such mailbox`), { responseCode: 550 }))
    if (address.startsWith('busy')) return done(Object.assign(new Error('try again later'), { responseCode: 451 }))
    recipients.push(address)
    done()
  },
  onData: (stream, _session, done) => {
    let text = ''
    stream.on('data', (part: Buffer) => (text += part.toString()))
    stream.on('end', () => {
      if (/^To: .*silent/im.test(text)) return void silent.push(() => done())
      const id = /^Message-ID: (\S+)/im.exec(text)?.[1] ?? 'none'
      sources.set(id, text)
      arrived.set(id, (arrived.get(id) ?? 0) + 1)
      done()
    })
  },
})
server.on('error', () => undefined)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => new Promise<void>((resolve) => server.close(() => resolve())))
const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
const smtp = smtpTransport(url)
after(() => smtp.close())
useMailSettings({ sender, smtp })

const order = (key: string, to: string) => ({ to, site, payload: { name: key }, key })

test('V-57 every mail arrives although workers are killed; only mails in progress at a kill arrive twice, with the same Message-ID', async () => {
  await database.command({}, async (scope) => {
    for (let index = 0; index < mails; index++)
      assert.equal(await sendMail(scope, greeting, order(`k${index}`, `a${index}@example.org`)), true)
  })
  const left = async () =>
    (await database.pool.query<{ n: number }>(`select count(*)::int as n from mail.mail where state = 'queued'`)).rows[0]?.n ?? 0
  let kills = 0
  for (let before = mails; before > 0;) {
    const worker = fork(join(import.meta.dirname, 'sending-testing.ts'), [database.connectionString, url], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(worker, 'message')
    const enough = before - Math.ceil(mails / 6)
    while ((await left()) > Math.max(0, enough)) await sleep(5)
    before = await left()
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    kills++
  }
  assert.ok(kills >= 4, `${kills} kills`)
  const expected = Array.from({ length: mails }, (_, index) => messageId({ key: `k${index}`, sender }))
  assert.deepEqual(
    expected.filter((id) => !arrived.has(id)),
    [],
  )
  assert.equal(arrived.size, mails)
  const copies = [...arrived.values()].reduce((sum, count) => sum + count - 1, 0)
  process.stdout.write(`  ${mails} mails, ${kills} kills, ${copies} second copies\n`)
  assert.ok(copies <= kills * atOnce, `${copies} second copies after ${kills} kills`)
})

test('V-57 a key has one mail, however often it is requested', async () => {
  const results = await Promise.all(
    [1, 2, 3].map(() => database.command({}, (scope) => sendMail(scope, greeting, order('once', 'once@example.org')))),
  )
  assert.deepEqual(results.toSorted(), [false, false, true])
  await runWork(database, [], jobs)
  assert.equal(arrived.get(messageId({ key: 'once', sender })), 1)
})

test('V-57 a recipient the server refuses for good is a dead letter at once; a busy one is retried later', async () => {
  await database.command({}, async (scope) => {
    await sendMail(scope, greeting, order('gone', 'nobody@example.org'))
    await sendMail(scope, greeting, order('busy', 'busy@example.org'))
    await sendMail(scope, greeting, order('fine', 'fine@example.org'))
  })
  await runWork(database, [], jobs)
  assert.equal(arrived.get(messageId({ key: 'fine', sender })), 1)
  // The second attempt is due after a second, which may have passed.
  const { dead: given, scheduled, waiting } = await countJobs(database.db)
  assert.deepEqual([given, scheduled + waiting], [1, 1])
  const [dead] = await listJobs(database.db, { state: 'dead', limit: 10 })
  assert.match(dead?.lastError ?? '', /no such mailbox/)
  assert.doesNotMatch(dead?.lastError ?? '', /nobody@/, 'the table of jobs keeps no address')
})

test('mails that somebody waits for are sent before newsletters and reminders, however many of these were queued earlier', async (context) => {
  recipients.length = 0
  await database.command({}, async (scope) => {
    for (let n = 0; n < 40; n++)
      await sendMail(scope, greeting, { ...order(`issue-${n}`, `reader-${n}@example.org`), unsubscribeUrl: 'https://shop.example/end' })
  })
  await database.command({}, (scope) => sendMail(scope, greeting, order('sign-in', 'customer@example.org')))
  const worker = startWorker({ pool: database.pool, handlers: [], jobs, schedules: [] })
  context.after(() => worker.stop())
  while (recipients.length < 41) await sleep(10)
  // It is in the first claim, whose mails and the next ones are sent in any order; by itself it would be the last.
  assert.ok(recipients.indexOf('customer@example.org') < 4 * mailsAtOnce, `${recipients.indexOf('customer@example.org')} came first`)
})

test('A57 a line break in what fills a subject becomes a space: no header or recipient is added', async () => {
  for (const [key, separator] of [
    ['crlf', '\r\n'],
    ['twice', '\r\n\r\n'],
    ['cr', '\r'],
    ['lf', '\n'],
    ['separator', '\u2028'],
  ] as const) {
    const name = `Ann${separator}Bcc: all@example.org`
    await database.command({}, (scope) => sendMail(scope, greeting, { ...order(key, `${key}@example.org`), payload: { name } }))
    const { rows } = await database.pool.query<{ subject: string }>('select subject from mail.mail where key = $1', [key])
    assert.equal(rows[0]?.subject, 'Hello Ann Bcc: all@example.org', key)
    await runWork(database, [], jobs)
    const source = sources.get(messageId({ key, sender })) ?? ''
    assert.match(source, /^Subject: Hello Ann Bcc: all@example\.org\r$/m, key)
    assert.doesNotMatch(source.split('\r\n\r\n')[0] ?? '', /^bcc:/im, key)
  }
  assert.ok(!recipients.includes('all@example.org'))
})

test('R-162 a mail with one-click unsubscribe has the headers of RFC 8058, and no other mail does', async () => {
  const url = 'https://shop.example/api/v1/unsubscribe/token'
  await database.command({}, async (scope) => {
    await sendMail(scope, greeting, { ...order('list', 'list@example.org'), unsubscribeUrl: url })
    await sendMail(scope, greeting, order('plain', 'plain@example.org'))
  })
  await runWork(database, [], jobs)
  const source = (key: string) => sources.get(messageId({ key, sender })) ?? ''
  assert.match(source('list'), new RegExp(`^List-Unsubscribe: <${url}>\\r?$`, 'm'))
  assert.match(source('list'), /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  assert.ok(source('plain').includes('Hello plain') && !source('plain').includes('List-Unsubscribe'))
})

test('V-05 a mail server on the Internet that offers no encryption gets neither mails nor the password', async () => {
  // The name of a public server, resolved by this test to the one without STARTTLS.
  const remote = smtpTransport(url.replace('127.0.0.1', 'mail.example.com').replace('//', '//user:secret@'))
  after(() => remote.close())
  Object.assign((remote as unknown as { transporter: { options: object } }).transporter.options, { host: '127.0.0.1' })
  const sent = remote.sendMail({ from: sender, to: 'ann@example.com', subject: 'Hello', text: 'Hello' })
  await assert.rejects(sent, (error: Error & { code?: string }) => error.code === 'ETLS')
  await smtp.sendMail({ from: sender, to: 'ann@example.com', subject: 'Hello', text: 'Hello' })
  assert.equal(recipients.at(-1), 'ann@example.com')
})

test('F19 a worker stops at once while the mail server takes mails and does not answer; they are sent again by its successor', async () => {
  for (let n = 0; n < 12; n++)
    await database.command({}, (scope) =>
      sendMail(scope, greeting, { to: `silent${n}@example.com`, site, payload: { name: 'Ann' }, key: `silent ${n}` }),
    )
  const worker = startWorker({ pool: database.pool, handlers: [], jobs, schedules: [] })
  while (silent.length < 5) await sleep(20)
  const stoppedAt = Date.now()
  await worker.stop()
  assert.ok(Date.now() - stoppedAt < 3000, `${Date.now() - stoppedAt} ms`)
  assert.equal(silent.length, 5, 'as many at once as have connections')
  const { rows } = await database.pool.query(`select 1 from mail.mail where key like 'silent %' and state = 'queued'`)
  assert.equal(rows.length, 12)
})
