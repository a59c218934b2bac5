import type { Db } from '#platform'
import { deleteOldRefused } from './burst-store.ts'

/** Daily partitions of the append-only tables: created ahead, dropped when their time is over. */

const tables = ['event', 'web_vital'] as const
export const retentionDays = 90
const daysAhead = 3
const dayMs = 86_400_000

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const nameOf = (table: string, day: string): string => `${table}_${day.replaceAll('-', '')}`

const list = {
  name: 'insights.partitions',
  text: `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass`,
}
const isWaiting = (table: string) => ({
  name: `insights.waiting-${table}`,
  text: `select 1 as found from insights.${table}_default where day = $1 limit 1`,
})

/** Partitions of today and the next days. A day whose rows already wait in the default partition keeps them there. */
export async function createPartitions(db: Db, now: Date): Promise<void> {
  for (const table of tables) {
    const existing = new Set((await db.rows<{ name: string }>(list, [`insights.${table}`])).map(({ name }) => name))
    for (let ahead = 0; ahead <= daysAhead; ahead++) {
      const day = dayOf(now.getTime() + ahead * dayMs)
      const name = nameOf(table, day)
      if (existing.has(`insights.${name}`) || (await db.row(isWaiting(table), [day]))) continue
      const to = dayOf(now.getTime() + (ahead + 1) * dayMs)
      const text = `create table if not exists insights.${name} partition of insights.${table} for values from ('${day}') to ('${to}')`
      await db.run({ name: `insights.create-${name}`, text })
    }
  }
}

/** Drops the partitions of days that are over, and deletes their rows from the default partition. */
export async function dropOldPartitions(db: Db, now: Date): Promise<void> {
  const first = dayOf(now.getTime() - retentionDays * dayMs)
  for (const table of tables) {
    for (const { name } of await db.rows<{ name: string }>(list, [`insights.${table}`])) {
      const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
      if (year && `${year}-${month}-${day}` < first) await db.run({ name: `insights.drop-${name}`, text: `drop table ${name}` })
    }
    await db.run({ name: `insights.trim-${table}`, text: `delete from insights.${table}_default where day < $1` }, [first])
  }
  await deleteOldRefused(db, new Date(now.getTime() - retentionDays * dayMs))
  await db.run({ name: 'insights.trim-order-channels', text: 'delete from insights.order_channel where placed_at < $1' }, [first])
  await db.run({ name: 'insights.trim-pro', text: 'delete from insights.pro_event where at < $1' }, [first])
}
