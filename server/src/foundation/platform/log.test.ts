import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { withoutAddresses } from './log.ts'

test('A58 e-mail addresses in a log line are masked, wherever they are and however the line is long', async () => {
  assert.equal(
    withoutAddresses('{"reason":"550 no such user <ann.lee+x@mail.example.co.uk>"}'),
    '{"reason":"550 no such user <(address)>"}',
  )
  assert.equal(withoutAddresses('ann@example.com, bob@example.com'), '(address), (address)')
  assert.equal(withoutAddresses('/search/ann.lee%40example.com, 40%40'), '/search/(address), 40%40')
  assert.equal(withoutAddresses('no address'), 'no address')
  assert.ok((await cpuMsOf(() => withoutAddresses(`${'a'.repeat(200_000)}@`))) < 200)
})

test('A58 the values of a row in an error of the database do not reach the log', () => {
  const script = `
    const { log } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)})
    const error = Object.assign(new Error('duplicate key'), { detail: 'Key (name)=(Zwackelmann) already exists.', where: 'Zwackelmann', parameters: ['Zwackelmann'] })
    log.error({ err: error, reason: 'of ann@example.com' }, 'a row for ann@example.com was refused')
    log.error({ password: 'geheim', headers: { cookie: 'geheim' } }, 'hidden')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, LOG_LEVEL: 'info' },
    encoding: 'utf8',
  })
  assert.match(stderr, /duplicate key/)
  assert.doesNotMatch(stderr, /Zwackelmann|ann@example|geheim/)
})
