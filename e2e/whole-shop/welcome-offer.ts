import { forgetSwitches, setConfig } from '@purlin/server/foundation/flags/index.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import type { Asker, VisitorsShop } from './visitors.ts'

/** Offers a code to customers of high value in gb, and makes these visitors such customers. Returns the code. */
export async function giveWelcomeOffer({ database: { pool } }: Pick<VisitorsShop, 'database'>, valued: readonly Asker[]): Promise<string> {
  const code = 'DEARTOUS12'
  await pool.query(
    `insert into cart.coupon (code, market, kind, value, starts_on, ends_on, audience)
     values ($1, 'gb', 'percent', 12, '2020-01-01', '2099-12-31', 'high-value')`,
    [code],
  )
  await pool.query(
    `insert into segments.customer (customer_id, imported) select id, '{"customer_value": "very-high"}' from accounts.customer where email = any($1)`,
    [valued.map((visitor) => `${visitor.replace(' ', '-')}@visitors.example`)],
  )
  const value = { code, percent: 12 }
  await asCommand(pool, ({ db }) => setConfig({ db }, { market: 'gb', mode: '*' }, { key: 'welcome-offer-hvc', value, replaces: 0 }))
  forgetSwitches()
  return code
}
