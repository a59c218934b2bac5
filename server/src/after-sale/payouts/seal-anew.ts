import { sealMark, type Db, type JobScope } from '#platform'
import { openBank, sealBank } from './bank-account.ts'

const tables = [
  {
    read: {
      name: 'payouts.accounts-sealed-with-another-key',
      text: `select seller_id || ':' || currency as id, bank from payouts.account where bank is not null and substring(bank for 12) <> $1
        limit 1000 for update skip locked`,
    },
    write: { name: 'payouts.seal-account-anew', text: `update payouts.account set bank = $2 where seller_id || ':' || currency = $1` },
  },
  {
    read: {
      name: 'payouts.payouts-sealed-with-another-key',
      text: `select id::text, bank from payouts.payout where bank is not null and substring(bank for 12) <> $1 limit 1000 for update skip locked`,
    },
    write: { name: 'payouts.seal-payout-anew', text: 'update payouts.payout set bank = $2 where id = $1' },
  },
]

/** Seals sellers' accounts again with the current key, so that the previous key may be changed. */
export async function sealPayoutsAnew({ db }: Pick<JobScope, 'db'>): Promise<void> {
  for (const { read, write } of tables)
    for (const { id, bank } of await otherwise(db, read)) await db.run(write, [id, sealBank(id, openBank(id, bank))])
}

function otherwise(db: Db, read: { name: string; text: string }): Promise<{ id: string; bank: Buffer }[]> {
  return db.rows(read, [sealMark('purlin seller accounts')])
}
