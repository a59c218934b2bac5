import { rollUp } from '@purlin/server/people/insights/index.ts'
import type { Pool } from '@purlin/server/foundation/platform/index.ts'

/** Two weeks of page views, web vitals and choices, so that the page of insights of the demo shop shows something. */

const daysBack = 14
/** Numbers that look random and are the same every time. */
const mixed = (seed: string) => `(abs(hashtext(${seed})) % 1000) / 1000.0`

const visits = `
  select at, market, page, device, n, day_no, ('0000000' || (n % 7 + 1) || '-0000-4000-8000-' || lpad(market_no::text || n::text, 12, '0'))::uuid as visitor
  from generate_series(1, ${daysBack}) as day_no, unnest(array['gb','fr','de','es','it']) with ordinality as m (market, market_no),
    unnest(array['homeB2C','category','product','search','cart']) with ordinality as p (page, page_no), generate_series(1, 6) as n,
    lateral (select date_trunc('day', now(), 'UTC') - make_interval(days => day_no::int) + make_interval(mins => (n * 97 + page_no * 53)::int) as at,
      (array['mobile','desktop','tablet'])[1 + (n + page_no) % 3] as device) as d`

/** Six ways to come, two of them by campaigns. */
const came = `case when page = 'homeB2C' then (array['{"trackingChannel":"organic","trackingCategory":"google"}',
  '{"trackingChannel":"email","trackingCategory":"newsletter","trackingCampaign":"week-47"}', '{"trackingChannel":"direct"}',
  '{"trackingChannel":"paid","trackingCategory":"google","trackingCampaign":"autumn-deals"}', '{"trackingChannel":"social","trackingCategory":"pinterest"}',
  '{"trackingChannel":"comparison","trackingCategory":"idealo"}'])[n]::jsonb else '{}' end`
const visit = `md5(visitor::text || (at at time zone 'UTC')::date)::uuid`

const events = {
  name: 'demo.insights-events',
  text: `insert into insights.event (day, id, market, mode, visitor_id, visit_id, name, page_name, page_type, device, purposes, data, at, received_at)
    select (at at time zone 'UTC')::date, gen_random_uuid(), market, 'b2c', visitor, ${visit}, 'page_view', page, page, device, '{statistics}', ${came}, at, at
    from (${visits}) as v`,
}

/** Rows of recommendations on product pages, each of four seen chosen from once. */
const recommended = {
  name: 'demo.insights-recommended',
  text: `insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at, received_at)
    select (at at time zone 'UTC')::date, gen_random_uuid(), market, 'b2c', visitor, 'recommendation_' || act, page, page, device, '{statistics}',
      json_build_object('placement', 'article_page', 'source', source), at, at
    from (${visits}) as v, unnest(array['goes_with', 'bought_together', 'also_viewed']) as source, unnest(array['view', 'click']) as act
    where page = 'product' and (act = 'view' or ${mixed('visitor::text || source || at::text')} < 0.25)`,
}

/** Of every fifth visit an order was paid. */
const ordered = {
  name: 'demo.insights-ordered',
  text: `insert into insights.order_channel (customer_order_id, visitor_id, market, mode, placed_at, paid_at, amount)
    select 'demo-' || market || day_no || '-' || n, visitor, market, 'b2c', at + interval '1 hour', at + interval '1 hour', 2500 + (9000 * ${mixed('market || at::text')})::int
    from (${visits}) as v where page = 'homeB2C' and ${mixed('visitor::text || at::text')} < 0.2 on conflict do nothing`,
}

const vitals = {
  name: 'demo.insights-vitals',
  text: `insert into insights.web_vital (day, id, market, mode, page_name, device, metric, value, version, at)
    select (at at time zone 'UTC')::date, gen_random_uuid(), market, 'b2c', page, device, metric,
      typical * (0.5 + ${mixed('metric || page || market || n::text || at::text')}) * case device when 'mobile' then 1.5 else 1 end, 'demo', at
    from (${visits}) as v, (values ('FCP', 1100), ('LCP', 1700), ('CLS', 0.03), ('INP', 110), ('TTFB', 250)) as t (metric, typical)`,
}

const choices = {
  name: 'demo.insights-choices',
  text: `insert into consent.choice (id, market, text_version, purposes, has_privacy_signal, at)
    select gen_random_uuid(), market, 'v1', (array['{}', '{statistics}', '{statistics,userPreferences}',
      '{statistics,personalisedAdvertising,userPreferences}'])[1 + floor(4 * ${mixed('market || n::text || page')})::int]::text[], false, at
    from (${visits}) as v`,
}

/** Every visitor of the home page saw one variation of its experiment, and more of the second one's went on. */
const exposures = {
  name: 'demo.insights-exposures',
  text: `insert into experiments.exposure (campaign_id, visitor_id, variation_id, seen_at)
    select 1, visitor, 1 + abs(hashtext(visitor::text)) % 2, min(at) from (${visits}) as v where page = 'homeB2C' group by visitor
    on conflict do nothing`,
}
const added = {
  name: 'demo.insights-added',
  text: `insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at, received_at)
    select (at at time zone 'UTC')::date, gen_random_uuid(), market, 'b2c', visitor, 'add_to_cart', page, page, device, '{statistics}', '{}', at, at
    from (${visits}) as v where page = 'product' and ${mixed('visitor::text')} < 0.3 + 0.2 * (abs(hashtext(visitor::text)) % 2)`,
}

/**
 * On each day one visitor looks at three of the four best products of a category, so that what is learned from views shows
 * what else was viewed.
 */
const viewed = {
  name: 'demo.insights-viewed',
  text: `with best as (
      select market, category_id, product_id, rank, category_rank from (
        select o.market, p.category_id, p.id as product_id,
          row_number() over (partition by o.market, p.category_id order by p.popularity desc, p.id) as rank,
          dense_rank() over (partition by o.market order by p.category_id) as category_rank
        from (select distinct market, product_id from catalogue.offer) o join catalogue.product p on p.id = o.product_id) as ranked
      where rank <= 4 and category_rank <= 80)
    insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at, received_at, network)
    select (at at time zone 'UTC')::date, gen_random_uuid(), market, 'b2c',
      ('0000000' || day_no % 10 || '-0000-4000-9000-' || lpad(category_rank::text || '0' || day_no, 12, '0'))::uuid,
      'page_view', 'product', 'product', 'mobile', '{statistics}', json_build_object('productId', product_id, 'categoryId', category_id), at, at,
      category_rank * 100 + day_no
    from generate_series(1, ${daysBack}) as day_no, best,
      lateral (select date_trunc('day', now(), 'UTC') - make_interval(days => day_no::int) + make_interval(mins => (category_rank * 7 + rank)::int) as at) as t
    where rank <> 1 + day_no % 4`,
}

export async function fillInsights({ db }: Pick<Pool, 'db'>, now = new Date()): Promise<void> {
  for (const statement of [events, recommended, ordered, vitals, choices, exposures, added, viewed]) await db.run(statement)
  await rollUp(db, new Date(now.getTime() - (daysBack + 1) * 86_400_000))
}
