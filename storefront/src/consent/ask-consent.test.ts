import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

/** The dialog while the shop refuses a choice, or does not respond to it. */

const page = { cookie: '', dataset: { market: 'gb', timeout: '10000' } }
const define = (name: string, value: unknown) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
define('document', {
  get cookie() {
    return page.cookie
  },
  set cookie(_line: string) {},
  documentElement: page,
  addEventListener: () => undefined,
  dispatchEvent: () => true,
})
define('window', globalThis)
define('location', new URL('http://gb.localhost/'))
define('navigator', { userAgent: 'Mozilla/5.0 Chrome/140' })

let respond: () => Promise<Response>
let signals: AbortSignal[] = []
define('fetch', (_address: string | URL, { signal }: { signal: AbortSignal }) => {
  signals.push(signal)
  const ended = new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  return Promise.race([respond(), ended])
})
const hang = () => new Promise<never>(() => undefined)
const refuse = () => Promise.resolve(new Response(null, { status: 429 }))
const save = () => {
  page.cookie = 'mm_consent=v1:'
  return Promise.resolve(new Response(null, { status: 204 }))
}
const { askConsent } = await import('./ask-consent.ts')

beforeEach(() => {
  page.cookie = ''
  signals = []
})

function openDialog() {
  let submit: ((event: object) => void) | undefined
  const form = { addEventListener: (_type: string, listener: (event: object) => void) => (submit = listener) }
  const dialog = { dataset: {} as { open?: string }, querySelector: () => form }
  askConsent({ querySelector: () => dialog } as unknown as HTMLElement)
  return {
    /** What the style sheet goes by; undefined once it is closed. */
    state: () => dialog.dataset.open,
    async choose(value: string) {
      submit?.({ submitter: { value }, preventDefault: () => undefined })
      await wait(5)
    },
  }
}

test('R-025 a choice that could not be saved leaves the dialog open, which says so, and can be made again', async () => {
  const { state, choose } = openDialog()
  assert.equal(state(), '')
  respond = refuse
  await choose('all')
  assert.equal(state(), 'failed')
  respond = save
  await choose('none')
  assert.equal(state(), undefined)
})

test('R-025 of several clicks the last one counts: those before hold no connection, and are no failure', async () => {
  const { state, choose } = openDialog()
  respond = hang
  for (let n = 0; n < 5; n++) await choose('all')
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true, true, true, false],
  )
  assert.equal(state(), '')
  respond = save
  await choose('none')
  assert.equal(state(), undefined)
})

test('R-025 R-527 a choice that the shop does not respond to counts as not saved once the time of requests is over', async () => {
  page.dataset.timeout = '20'
  const { state, choose } = openDialog()
  respond = hang
  await choose('none')
  assert.equal(state(), '')
  await wait(100)
  assert.deepEqual([state(), signals[0]?.aborted], ['failed', true])
})

test('R-526 what tells the server that a consent has lapsed ends by itself', (t) => {
  t.mock.method(AbortSignal, 'timeout', (ms: number) => AbortSignal.abort(ms))
  respond = hang
  page.cookie = `mm_visitor_id=${crypto.randomUUID()}`
  openDialog()
  assert.deepEqual(
    signals.map(({ reason }) => reason as number),
    [5000],
  )
})
