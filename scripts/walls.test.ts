import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { root } from './find-tests.ts'
import { checkWalls, readSources } from './walls.ts'

const refusedByWalls: [string, Record<string, string>, RegExp][] = [
  [
    'a module that uses one after it',
    { 'server/src/goods/pricing/x.ts': `import { loadCart } from '#cart'` },
    /pricing stands before cart/,
  ],
  ['a module that uses itself by name', { 'server/src/selling/cart/x.ts': `import { loadCart } from '#cart'` }, /its own files by path/],
  ['a module on a floor that does not list it', { 'server/src/people/cart/x.ts': 'export const x = 1' }, /no module cart on floor people/],
  [
    'a module that uses another by path',
    { 'server/src/selling/cart/x.ts': `import { price } from '../../goods/pricing/price.ts'` },
    /by its face, not by path/,
  ],
  [
    'a module that reaches into the platform by path',
    { 'server/src/selling/cart/x.ts': `import { log } from '../../foundation/platform/log.ts'` },
    /by its face, not by path/,
  ],
  [
    'a module that uses the gateway',
    { 'server/src/selling/cart/store.ts': `import { x } from '../../edges/gateway/index.ts'` },
    /by its face, not by path/,
  ],
  ['a platform that uses a module', { 'server/src/foundation/platform/x.ts': `export * from '#cart'` }, /ground of the modules/],
  [
    'an import at run time of a module after it',
    { 'server/src/goods/pricing/x.ts': `const { a } = await import('#checkout')` },
    /pricing stands before checkout/,
  ],
  [
    'a page action without a schema (V-58)',
    { 'storefront/src/cart/x.tsx': 'export async function action(context: ShopContext, form: FormFields) {}' },
    /made by formAction/,
  ],
  [
    'a page action that is an arrow function (V-58)',
    { 'storefront/src/cart/x.tsx': 'export const action = async (context: ShopContext) => redirect(303, "/")' },
    /made by formAction/,
  ],
  [
    'a posted field that no schema names (V-58)',
    { 'storefront/src/cart/x.tsx': '<form method="post"><input type="hidden" name="offerId" /></form>' },
    /field offerId is not named by the schema/,
  ],
  [
    'an owner compared outside authorize (V-51)',
    { 'server/src/selling/checkout/x.ts': 'if (order.owner !== owner) refuse()' },
    /authorize\(\) of #accounts decides rights/,
  ],
  [
    'a module that asks what kind of person acts (V-51)',
    { 'server/src/selling/cart/x.ts': `if (scope.principal.kind === 'operator') allow()` },
    /authorize\(\) of #accounts decides rights/,
  ],
  [
    'process.env outside the settings (V-64)',
    { 'server/src/selling/cart/x.ts': `const key = process.env['CART_KEY']` },
    /the environment is read in platform\/settings\.ts alone/,
  ],
  [
    'the environment taken from process by another spelling (V-64)',
    { 'services/src/x.ts': 'const { env } = process' },
    /the environment is read in platform\/settings\.ts alone/,
  ],
  [
    "SQL on another module's table",
    { 'server/src/selling/cart/store.ts': 'const text = `select 1 from cart.line l join catalogue.offer o on true`' },
    /SQL on a table of catalogue/,
  ],
  [
    "SQL that changes the platform's tables",
    { 'server/src/selling/cart/store.ts': 'const text = `insert into platform.outbox values (1)`' },
    /SQL on a table of platform/,
  ],
  [
    'V-23 a price updated without its history',
    { 'server/src/goods/catalogue/x.ts': 'const text = `update catalogue.offer o set stock = 1, price = $2 where id = $1`' },
    /which writes their history/,
  ],
  [
    'V-23 a professional price updated by a tool',
    { 'e2e/x.ts': `await run('UPDATE catalogue.offer SET pro_price = null')` },
    /which writes their history/,
  ],
  [
    'V-23 an offer inserted without the history of its price',
    { 'demo/src/x.ts': 'const text = `insert into catalogue.offer (id, price) values ($1, $2)`' },
    /without their price history/,
  ],
  [
    'V-54 payments that know orders',
    { 'server/src/selling/payments/x.ts': `import { readOrder } from '#orders'` },
    /payments stands before orders/,
  ],
  [
    'V-54 payments that know the ledger',
    { 'server/src/selling/payments/x.ts': `import { book } from '#ledger'` },
    /payments stands before ledger/,
  ],
  [
    'V-54 a module that moves orders beside the process manager',
    { 'server/src/after-sale/notify/x.ts': `import { moveOrder, readOrder } from '#orders'` },
    /only checkout may call moveOrder/,
  ],
  [
    'a circle of two',
    { 'web/src/a.ts': `import { b } from './b.ts'`, 'web/src/b.ts': `import type { a } from './a.ts'` },
    /circle of imports: web\/src\/a.ts → web\/src\/b.ts → web\/src\/a.ts/,
  ],
  ['a file of 401 lines', { 'ui/src/a.ts': 'const a = 1\n'.repeat(401) }, /401 lines/],
]
for (const [what, files, problem] of refusedByWalls) {
  test(`${what} is refused`, () => {
    const problems = checkWalls(Object.entries(files).map(([path, text]) => ({ path, text })))
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0] ?? '', problem)
  })
}

test('permitted code is not refused', () => {
  const files = {
    'server/src/selling/cart/add.ts': `import { x } from '#pricing'\nimport { y } from '#platform'\nimport { z } from './store.ts'`,
    'server/src/selling/cart/store.ts': 'const text = `select 1 from cart.line`',
    'server/src/goods/catalogue/reserve.ts': 'const text = `update catalogue.offer o set stock = 1 where o.price = $1`',
    'server/src/selling/cart/rest.ts': `import type { Services } from '../../edges/gateway/services.ts'`,
    'server/src/selling/cart/cart.test.ts': `import { x } from '../checkout/testing.ts'\nimport { y } from '#ledger'`,
    'server/src/selling/cart/long.test.ts': 'const a = 1\n'.repeat(900),
  }
  assert.deepEqual(checkWalls(Object.entries(files).map(([path, text]) => ({ path, text }))), [])
})

test('the checks cover all files of this repository', () => {
  assert.ok(readSources().length > 300)
  assert.ok(readSources().some(({ path }) => path === 'start.ts'))
})

const refusedByLint: [string, string, string][] = [
  ['a contract that imports a package', 'contract/src/x.ts', `import { z } from 'valibot'\nexport const x = z`],
  ['a contract that imports Node', 'contract/src/x.ts', `import { join } from 'node:path'\nexport const x = join`],
  ['a search engine that knows prices', 'search/src/x.ts', `import { m } from '@purlin/contract/money.ts'\nexport const x = m`],
  ['a page layer that knows the shop', 'web/src/x.ts', `import { r } from '@purlin/storefront/routes.ts'\nexport const x = r`],
  [
    'a page that imports the server',
    'storefront/src/cart/x.tsx',
    `import { loadCart } from '@purlin/server/selling/cart/index.ts'\nexport const x = loadCart`,
  ],
  ['a page that asks the database', 'storefront/src/cart/x.tsx', `import pg from 'pg'\nexport const x = pg`],
  [
    'a component that imports the server',
    'ui/src/x.tsx',
    `import { log } from '@purlin/server/foundation/platform/index.ts'\nexport const x = log`,
  ],
  [
    'a server that imports a page',
    'server/src/selling/cart/x.ts',
    `import { paths } from '@purlin/storefront/paths.ts'\nexport const x = paths`,
  ],
  ['a server that imports the page layer', 'server/src/selling/cart/x.ts', `import { q } from '@purlin/web/query.ts'\nexport const x = q`],
  ['an any', 'server/src/selling/cart/x.ts', 'export const x = (a: any) => a'],
  ['a silenced type error', 'server/src/selling/cart/x.ts', '// @ts-ignore\nexport const x = 1'],
]
test('each forbidden import between packages is refused by the linter', () => {
  const house = mkdtempSync(join(tmpdir(), 'walls-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'))
    // Import rules are relative to the location of the configuration.
    const config = join(house, 'oxlint.config.ts')
    copyFileSync(join(root, 'oxlint.config.ts'), config)
    for (const [what, path, text] of refusedByLint) {
      const file = join(house, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${text}\n`)
      const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--quiet', '--no-ignore', '-c', config, path], {
        cwd: house,
        encoding: 'utf8',
      })
      rmSync(file)
      assert.equal(status, 1, `${what}: ${stdout}`)
      assert.match(stdout, /no-restricted-imports|no-explicit-any|ban-ts-comment/, `${what}: ${stdout}`)
    }
    const clean = join(house, 'server/src/selling/cart/y.ts')
    writeFileSync(clean, `import { m } from '@purlin/contract/money.ts'\nexport const x = m\n`)
    assert.equal(
      spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--quiet', '--no-ignore', '-c', config, 'server/src/selling/cart/y.ts'], {
        cwd: house,
      }).status,
      0,
    )
  } finally {
    rmSync(house, { recursive: true, force: true })
  }
})
