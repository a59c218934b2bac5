import { sealAccountsAnew, type JobScope, type SealedAccounts } from '#platform'

const tables: readonly SealedAccounts[] = [
  {
    otherwise: {
      name: 'payouts.accounts-sealed-with-another-key',
      text: `select seller_id || ':' || currency as id, bank as sealed from payouts.account where bank is not null and substring(bank for 12) <> $1
        limit 1000 for update skip locked`,
    },
    replace: { name: 'payouts.seal-account-anew', text: `update payouts.account set bank = $2 where seller_id || ':' || currency = $1` },
  },
  {
    otherwise: {
      name: 'payouts.payouts-sealed-with-another-key',
      text: `select id::text, bank as sealed from payouts.payout where bank is not null and substring(bank for 12) <> $1
        limit 1000 for update skip locked`,
    },
    replace: { name: 'payouts.seal-payout-anew', text: 'update payouts.payout set bank = $2 where id = $1' },
  },
]

/** Seals sellers' accounts again with the current key, so that the previous key may be changed. */
export async function sealPayoutsAnew({ db }: Pick<JobScope, 'db'>): Promise<void> {
  for (const table of tables) await sealAccountsAnew(db, 'purlin seller accounts', table)
}
