import { demoPeople } from '@purlin/demo/people.ts'
import { createCompanyGroup, givePriceList, readLists } from '@purlin/server/goods/conditions/index.ts'
import { asCommand, type Pool } from '@purlin/server/foundation/platform/index.ts'

const trade = {
  name: 'demo.pro-sellers',
  text: `select o.seller_id as "sellerId", array_agg(distinct p.category_id) as categories,
      (array_agg(json_build_object('productId', o.product_id::text, 'price', coalesce(o.pro_price, o.price)) order by o.product_id))[1:6] as goods
    from catalogue.offer o join catalogue.product p on p.id = o.product_id
    where o.market = $1 and o.pro_price is not null and o.stock > 0 and o.status = 'active' and not o.is_sample
    group by o.seller_id order by count(*) desc, o.seller_id limit 2`,
}
interface Trade {
  sellerId: number
  categories: number[]
  goods: { productId: string; price: number }[]
}

/** Two sellers have agreed prices with each demo company: one by category for all companies of a group, one by product. */
export async function makeDemoPrices(pool: Pool): Promise<void> {
  for (const person of demoPeople) {
    if (person.kind !== 'member' || person.role !== 'admin') continue
    const { market } = person
    const companies = [{ companyId: person.company.id }]
    const sellers = await pool.db.rows<Trade>(trade, [market])
    const [wholesaler, specialist] = sellers
    if (!wholesaler || !specialist || (await readLists(pool.db, wholesaler.sellerId, null, 1)).some((list) => list.market === market))
      continue
    const list = { market, validFrom: null, validTo: null } as const
    await asCommand(pool, async (work) => {
      const scope = { ...work, now: new Date() }
      const group = await createCompanyGroup(scope, wholesaler.sellerId, { name: `Trade ${market.toUpperCase()}`, companies })
      if (!group.ok) return
      const rules = wholesaler.categories.map((categoryId) => ({ productId: null, categoryId, percentBp: 800, price: null }))
      await givePriceList(scope, wholesaler.sellerId, {
        ...list,
        name: 'Trade group',
        companies: [],
        groups: [group.id],
        rules: rules.slice(0, 200),
      })
      const frame = specialist.goods.map(({ productId, price }) => ({
        productId,
        categoryId: null,
        percentBp: null,
        price: Math.max(1, Math.floor(price * 0.85)),
      }))
      await givePriceList(scope, specialist.sellerId, { ...list, name: 'Frame contract', companies, groups: [], rules: frame })
    })
  }
}
