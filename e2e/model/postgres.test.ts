import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkAfterSale, checkDocuments } from './after-sale-checks.ts'
import { playOnPostgres } from './play-on-postgres.ts'
import { openModelShop } from './shop-on-postgres.ts'

/** `npm run model -- --postgres` plays 2,000. */
const sequences = Number(process.env['MODEL_SEQUENCES'] ?? 15)
const firstSeed = Number(process.env['MODEL_SEED'] ?? 1)
const shop = await openModelShop()
after(() => shop.close())

test('V-60 R-482 R-484 A25 I1 I2 I6 I10 any sequence of acts by anybody, with cut connections, ends with pieces, money and documents in agreement', async () => {
  const traces = new Map<string, string>()
  let [allowed, cuts] = [0, 0]
  for (let seed = firstSeed; seed < firstSeed + sequences; seed++) {
    const played = await playOnPostgres(shop, seed)
    traces.set(played.sellerOrderId, `Sequence ${seed}:\n${played.trace.join('\n')}`)
    allowed += played.allowed
    cuts += played.cuts
  }
  const provider = { name: 'embedded', payments: shop.payments() }
  const found = [
    ...(await checkAfterSale(shop.database.pool, { provider })),
    ...(await checkDocuments(shop.database.pool, [...traces.keys()])),
  ]
  const about = [...traces].filter(([id]) => found.some(({ what }) => what.includes(id.slice(0, -2)))).map(([, trace]) => trace)
  assert.deepEqual(found, [], about.slice(0, 2).join('\n'))
  assert.ok(allowed > sequences * 2 && cuts > 0, `${allowed} acts were allowed, ${cuts} connections cut`)
})
