import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { productionSettings, useSettings } from '#platform/testing'
import { routes } from './rest.ts'
import { useMailSettings } from './settings.ts'

/** The status of the mailbox's page under these settings. */
async function mailbox(env: Record<string, string>): Promise<number> {
  useSettings(env)
  useMailSettings()
  try {
    const app = fastify()
    routes(app, { db: { rows: async () => [] } } as never)
    return (await app.inject('/dev/mailbox')).statusCode
  } finally {
    useSettings()
    useMailSettings()
  }
}

test('without settings mails stay in the mailbox, which can be viewed', async () => assert.equal(await mailbox({}), 200))

test('V-05 real domains have no mailbox', async () => assert.equal(await mailbox(productionSettings), 404))

test('with SMTP configured there is no mailbox', async () => assert.equal(await mailbox({ SMTP_URL: 'smtp://127.0.0.1:1' }), 404))
