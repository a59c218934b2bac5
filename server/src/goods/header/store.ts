import type { Db } from '#platform'
import type { Item, ItemInput } from './item.ts'

const all = {
  name: 'header.items',
  text: `select id, kind, markets, modes, audience, category_ids as "categoryIds", family_ids as "familyIds", position,
    live_from as "from", live_until as "until", path, texts from header.item order by position, id`,
}
const put = {
  name: 'header.put',
  text: `insert into header.item (id, kind, markets, modes, audience, category_ids, family_ids, position, live_from, live_until, path, texts)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    on conflict (id) do update set kind = excluded.kind, markets = excluded.markets, modes = excluded.modes, audience = excluded.audience,
      category_ids = excluded.category_ids, family_ids = excluded.family_ids, position = excluded.position, live_from = excluded.live_from,
      live_until = excluded.live_until, path = excluded.path, texts = excluded.texts, changed_at = now()`,
}
const remove = { name: 'header.remove', text: 'delete from header.item where id = $1' }
const turns = {
  name: 'header.turns',
  text: 'select 1 as one from header.item where (live_from > $1 and live_from <= $2) or (live_until > $1 and live_until <= $2) limit 1',
}

export const readItems = (db: Db): Promise<Item[]> => db.rows<Item>(all)
export const removeItem = (db: Db, id: string): Promise<number> => db.run(remove, [id])
export const writeItem = (db: Db, id: string, item: ItemInput): Promise<number> =>
  db.run(put, [
    id,
    item.kind,
    item.markets,
    item.modes,
    item.audience,
    item.categoryIds,
    item.familyIds,
    item.position,
    item.from,
    item.until,
    item.path,
    JSON.stringify(item.texts),
  ])
/** Whether an item begins or ends between two moments. */
export const turnsBetween = async (db: Db, from: Date, until: Date): Promise<boolean> => (await db.row(turns, [from, until])) !== undefined
