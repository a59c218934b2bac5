/** The journeys: one shop for all of them, then each file of e2e/journeys in a browser. The last line is "N passed, N failed". */
import { filesBelow } from '../scripts/find-tests.ts'
import { runTests } from '../scripts/run-tests.ts'
import { startShop } from './support/shop.ts'

const shop = await startShop({ products: 1_500, quiet: true })
process.env['SHOP_URL'] = shop.origin
process.env['SHOP_DATA_DIR'] = shop.dataDir
try {
  const { passed, failed } = await runTests(filesBelow('e2e/journeys', /\.test\.ts$/), { atOnce: 1 })
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
} finally {
  await shop.stop()
}
