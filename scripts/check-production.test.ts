import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fakeMailServer } from '@purlin/server/foundation/mail/testing.ts'
import { productionSettings, testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { tooFewConnections } from '@purlin/server/foundation/platform/reach.ts'
import { root } from './find-tests.ts'

// A folder without .env: only the given settings count.
const folder = mkdtempSync(join(tmpdir(), 'check-production-'))
after(() => rmSync(folder, { recursive: true }))

/** The command as an operator runs it. The table of wrong settings is in settings.test.ts. */
function check(env: Record<string, string>): Promise<{ code: number; printed: string }> {
  return new Promise((resolve) => {
    const script = join(root, 'scripts/check-production.ts')
    const child = execFile(process.execPath, [script], { cwd: folder, env: { PATH: process.env['PATH'], ...env } }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, printed: stdout }),
    )
  })
}

test('V-05 R-649 npm run check:production accepts valid settings with a mail server that answers', async () => {
  const mails = await fakeMailServer()
  const { code, printed } = await check({ ...productionSettings, SMTP_URL: mails.url })
  await mails.close()
  assert.deepEqual([code, /^Ready for production on \d+ sites\.\n$/.test(printed)], [0, true], printed)
})

test('V-05 npm run check:production reports a mail server that does not respond in one sentence', async () => {
  const mails = await fakeMailServer()
  await mails.close()
  const { code, printed } = await check({ ...productionSettings, SMTP_URL: mails.url })
  assert.equal(code, 1)
  assert.match(printed, /^Not ready for production\. [^]*\n {2}- SMTP_URL names a server that does not respond: .*ECONNREFUSED.*\n$/)
})

test('V-05 npm run check:production reports a database that allows fewer connections than the processes may open, or does not respond', async () => {
  const { connectionString, pool } = await testDatabase({ upTo: 'markets' })
  const { rows } = await pool.query<{ most: number }>(`select current_setting('max_connections')::int as most`)
  const most = rows[0]?.most ?? 0
  const mails = await fakeMailServer()
  const settings = { ...productionSettings, SMTP_URL: mails.url }
  const few = await check({ ...settings, DATABASE_URL: connectionString })
  const many = await check({ ...settings, DATABASE_URL: connectionString, WEB_PROCESSES: '8' })
  const none = await check({ ...settings, DATABASE_URL: 'postgres://me@localhost:1/none' })
  await mails.close()
  assert.equal(few.code, 0, few.printed)
  const sentence = `  - DATABASE_URL names a server that allows ${most - 3} connections, and the processes of this machine may open 257: raise its max_connections`
  assert.ok(many.code === 1 && many.printed.includes(sentence), many.printed)
  assert.match(
    none.printed,
    /^Not ready for production\. [^]*\n {2}- DATABASE_URL: no database answers at .* \(nothing listens there\)\.\n$/,
  )
})

test('a database with exactly as many connections as the processes may open has enough', () => {
  assert.equal(tooFewConnections(97, 97), null)
  assert.match(tooFewConnections(97, 98) ?? '', /allows 97 connections, and the processes of this machine may open 98/)
})

test('V-05 R-649 npm run check:production prints one sentence for each wrong setting, and fails', async () => {
  const { code, printed } = await check({ ...productionSettings, SMTP_URL: '', LOG_LEVEL: 'foo', PAYMENT_PROVIDER: 'embedded' })
  assert.equal(code, 1)
  assert.match(printed, /^Not ready for production\. /)
  for (const name of ['SMTP_URL', 'LOG_LEVEL', 'PAYMENT_PROVIDER']) assert.equal(printed.split(`  - ${name} `).length, 2, printed)
  assert.doesNotMatch(printed, /\n\s+at /)
})

/** Each wrong by itself: what one says does not follow from another. */
const independent: Record<string, string> = {
  PORT: '70000',
  LOG_LEVEL: 'foo',
  WEB_PROCESSES: '0',
  DATABASE_URL: 'mysql://db/x',
  SMTP_URL: 'mail.purlin.fr',
  MAIL_FROM: 'Purlin',
  TRUST_PROXY: '10.0.0.0/7',
  STRIPE_SECRET_KEY: 'sk_test_which-is-long-enough-but-not-for-money-2931',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_FRAME_URL: 'http://pay.purlin.fr/frame',
  ORDER_LINK_SECRET: 'x',
  RETENTION_KEY: '',
  SESSION_SECRET: 'y',
  OPERATOR_API_KEY: 'secret',
  METRICS_TOKEN: 'token',
}

test('V-05 R-649 npm run check:production names fifteen independent mistakes in one run, each once', async () => {
  const { code, printed } = await check({ ...productionSettings, ...independent })
  assert.equal(code, 1)
  const named = [...printed.matchAll(/^ {2}- (\w+) /gm)].map(([, name]) => name)
  assert.deepEqual(named.toSorted(), Object.keys(independent).toSorted(), printed)
})
