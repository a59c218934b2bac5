import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from '@purlin/e2e/support/browser.ts'
import { ensureChromium, type Machine } from './ensure-chromium.ts'

/** A machine without Chromium and with an empty package list until it is fetched; records its calls and messages. */
function machine({ mayInstall = true, packages = ['chromium-headless-shell', 'chromium'] } = {}): Machine & {
  asked: string[]
  said: string[]
} {
  const asked: string[] = []
  const said: string[] = []
  let isThere = false
  let isListed = false
  return {
    asked,
    said,
    mayInstall,
    find: () => (isThere ? '/usr/bin/chromium' : undefined),
    apt: (...args) => {
      asked.push(args.join(' '))
      if (args[0] === 'update') isListed = true
      else isThere = isListed && packages.includes(args.at(-1) ?? '')
    },
    say: (line) => void said.push(line),
  }
}

test('an installed Chromium is used without any message', () => {
  const ready = { ...machine(), find: () => '/usr/bin/chromium' }
  assert.equal(ensureChromium(ready), true)
  assert.deepEqual([ready.asked, ready.said], [[], []])
})

test('as root on Debian it is installed', () => {
  const fresh = machine()
  assert.equal(ensureChromium(fresh), true)
  assert.deepEqual(fresh.asked, ['update', 'install -y chromium-headless-shell'])
  assert.deepEqual(fresh.said, ['Installing Chromium for the journeys …'])
})

test('where the shell without a window is not packaged, the whole browser is installed', () => {
  const older = machine({ packages: ['chromium'] })
  assert.equal(ensureChromium(older), true)
  assert.deepEqual(older.asked, ['update', 'install -y chromium-headless-shell', 'install -y chromium'])
})

const withoutHelp: [string, Parameters<typeof machine>[0]][] = [
  ['nobody may install here', { mayInstall: false }],
  ['the package leaves none behind', { packages: [] }],
]
for (const [what, options] of withoutHelp) {
  test(`when ${what}, one sentence says what to do`, () => {
    const poor = machine(options)
    assert.equal(ensureChromium(poor), false)
    assert.equal(poor.said.at(-1), 'The journeys need Chromium and there is none: install the package chromium, or name one in CHROMIUM.')
    assert.equal(poor.said.length, options?.mayInstall === false ? 1 : 2)
  })
}

test('a path in CHROMIUM is used exclusively, and reported when it does not exist', async () => {
  const before = process.env['CHROMIUM']
  process.env['CHROMIUM'] = '/there/is/none'
  try {
    await assert.rejects(launchBrowser(), {
      message: 'The journeys need Chromium, and CHROMIUM names /there/is/none, where there is none.',
    })
  } finally {
    if (before === undefined) delete process.env['CHROMIUM']
    else process.env['CHROMIUM'] = before
  }
})
