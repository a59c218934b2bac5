import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { routes } from './rest.ts'
import { useMailSettings } from './settings.ts'

/** The status of the mailbox's page under these settings. */
async function mailbox(env: Record<string, string>): Promise<number> {
  const before = { ...process.env }
  Object.assign(process.env, env)
  useMailSettings()
  try {
    const app = fastify()
    routes(app, { db: { rows: async () => [] } } as never)
    return (await app.inject('/dev/mailbox')).statusCode
  } finally {
    process.env = before
    useMailSettings()
  }
}

test('without settings mails stay in the mailbox, which can be looked at', async () => assert.equal(await mailbox({}), 200))

test('real domains refuse the demo’s secret of mail links at the start, and have no mailbox with one of their own', async () => {
  const real = { SITE_HOSTS: 'www.purlin.example=gb/b2c' }
  await assert.rejects(mailbox(real), /ORDER_LINK_SECRET still has the value of the demo/)
  assert.equal(await mailbox({ ...real, ORDER_LINK_SECRET: 'a-secret-of-our-own' }), 404)
})

test('where mails go out there is no mailbox', async () => assert.equal(await mailbox({ SMTP_URL: 'smtp://127.0.0.1:1' }), 404))
