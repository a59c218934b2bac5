import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { withoutAddresses, withoutCards, withoutTokens } from './log.ts'

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

test('A58 a card number in a log line is masked in any usual spelling, and other long numbers are not', () => {
  for (const number of [
    '4000000000000002',
    '4000 0000 0000 0002',
    '5200-8282-8282-8210',
    '4000+0000+0000+0002',
    '4000%200000%200000%200002',
  ])
    assert.equal(withoutCards(`{"url":"/search/${number}"}`), '{"url":"/search/(card)"}')
  for (const other of ['4000000000000003', '1767225600000', '12345678', 'P4000000000000002', '40000000000000020000', '0f4000000000000002'])
    assert.equal(withoutCards(`{"id":"${other}"}`), `{"id":"${other}"}`)
})

test('A58 the token of a link is masked in the path that a log line names; other parts of paths are not', async () => {
  for (const bytes of [18, 24, 32]) {
    const token = randomBytes(bytes).toString('base64url')
    assert.equal(withoutTokens(`{"url":"/approve/${token}"}`), '{"url":"/approve/(token)"}')
    assert.equal(withoutTokens(`/login?callbackUrl=%2Fapprove%2F${token}`), '/login?callbackUrl=%2Fapprove%2F(token)')
    assert.equal(withoutTokens(`nothing at /approve/${token}.`), 'nothing at /approve/(token).')
    assert.equal(withoutTokens(`at /wishlists/shared/${token}/copy?x=1`), 'at /wishlists/shared/(token)/copy?x=1')
  }
  for (const path of [
    '/p/cordless-drill-with-two-batteries-1204',
    '/orders/019b1f2e-7c44-7abc-9def-0123456789ab',
    '/my-orders/P0123456789ABCDEFGHJKMNPQRS',
    '/server/src/UsuallyLongerThanThatInCamelCase.ts:3',
  ])
    assert.equal(withoutTokens(path), path)
  assert.ok((await cpuMsOf(() => withoutTokens(`/${'aA'.repeat(100_000)}.`))) < 200)
  assert.ok((await cpuMsOf(() => withoutTokens('/a'.repeat(100_000)))) < 200)
})

/** What a process writes that runs these lines with a log. */
function logged(lines: string): string {
  const script = `const { log, logOf } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)})\n${lines}`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, LOG_LEVEL: 'info' },
    encoding: 'utf8',
  })
  return stderr
}

const forged = JSON.stringify('x\r\n{"level":60,"msg":"forged"}\n\u001b[2J\u009b2J\u007f\u0085\u2028\u202e')
const placed: Record<string, string> = {
  'a message': `log.info({}, ${forged})`,
  'a field': `log.warn({ url: ${forged} }, 'a request')`,
  'a nested field': `log.warn({ at: { list: [${forged}] } }, 'a request')`,
  'the name of a field': `log.warn({ [${forged}]: 1 }, 'a request')`,
  'an error': `log.error({ err: new Error(${forged}) }, 'an error')`,
  'the fields of a child': `logOf({ requestId: ${forged} }).info({}, 'a request')`,
}
for (const [place, call] of Object.entries(placed))
  test(`A58 line breaks and signs that a terminal obeys, in ${place}, are part of one line of JSON`, () => {
    const text = logged(call)
    const lines = text.split(/[\r\n\u0085\u2028\u2029]/)
    assert.equal(lines.length, 2, text)
    const entry = JSON.parse(lines[0] ?? '') as { level: number; msg: string }
    assert.ok(entry.level < 60 && entry.msg !== 'forged')
    assert.doesNotMatch(text.trimEnd(), /[\p{Cc}\u2028-\u202e]/u)
    assert.match(JSON.stringify(entry), /forged/, 'it is still there to read')
  })

test('A58 neither a card number in an error or an address, nor a token of a link, nor a secret by its name, is in the log', () => {
  const text = logged(`
    const number = '4000 0000 0000 0002'
    log.error({ err: new Error('the value ' + number + ' is not an e-mail address') }, 'a form was refused: ' + number)
    log.warn({ pathname: '/search/' + encodeURIComponent(number), fields: { name: number } }, 'a page could not be made')
    log.warn({ client: { url: '/approve/' + 'aB3d'.repeat(8) } }, 'client session error')
    log.info({ card: '4000', account: { card: '4000', password: '4000' } }, 'redacted')`)
  assert.match(text, /not an e-mail address/)
  assert.doesNotMatch(text, /4000|aB3d/)
})

test('A58 the values of a row in an error of the database do not reach the log', () => {
  const stderr = logged(`
    const error = Object.assign(new Error('duplicate key'), { detail: 'Key (name)=(Zwackelmann) already exists.', where: 'Zwackelmann', parameters: ['Zwackelmann'] })
    log.error({ err: error, reason: 'of ann@example.com' }, 'a row for ann@example.com was refused')
    log.error({ password: 'geheim', headers: { cookie: 'geheim' } }, 'hidden')`)
  assert.match(stderr, /duplicate key/)
  assert.doesNotMatch(stderr, /Zwackelmann|ann@example|geheim/)
})
