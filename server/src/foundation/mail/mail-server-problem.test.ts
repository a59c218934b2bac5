import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { mailServerProblem } from './mail-server-problem.ts'
import { smtpTransport } from './settings.ts'

async function mailServer(t: TestContext, options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({ authOptional: true, ...options })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  return `127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

test('V-05 a mail server on the Internet that offers no encryption is reported; in the private network it is right', async (t) => {
  const host = await mailServer(t, { disabledCommands: ['STARTTLS', 'AUTH'] })
  assert.match((await mailServerProblem(`smtp://${host}`, true)) ?? '', /^names a server that offers no encryption \(STARTTLS\)/)
  assert.equal(await mailServerProblem(`smtp://${host}`), null)
})

test('V-05 servers beyond the private network are those that have to encrypt', () => {
  const isRequired = (url: string) => (smtpTransport(url).options as { requireTLS?: boolean }).requireTLS
  assert.deepEqual(['smtp://mail.purlin.fr', 'smtp://203.0.113.9:25', 'smtp://127.0.0.1', 'smtp://mail.internal:25'].map(isRequired), [
    true,
    true,
    false,
    false,
  ])
})

test('V-05 a certificate that nobody signed is reported, and so is a wrong password', async (t) => {
  const host = await mailServer(t, {})
  assert.match((await mailServerProblem(`smtp://${host}`, true)) ?? '', /^names a server whose encryption fails: /)
  const plain = await mailServer(t, {
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('no')),
  })
  assert.equal(await mailServerProblem(`smtp://user:secret-password@${plain}`), 'names a server that refuses this user or password')
})

test('V-05 a server that accepts the connection and says nothing is reported after a few seconds, without the password', async (t) => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  const problem = await mailServerProblem(`smtp://user:secret-password@127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.match(problem ?? '', /^names a server that does not respond: (?!.*secret-password)/)
})
