import { demoPeople } from '@purlin/demo/people.ts'
import { markets } from '@purlin/contract/markets.ts'
import { answerQuote, readQuote, requestQuote } from '@purlin/server/after-sale/quotes/index.ts'
import { asCommand, log, type Pool, type Scope, type Settings } from '@purlin/server/foundation/platform/index.ts'

const someOffers = {
  name: 'demo.quotable-offers',
  text: `select o.id::text from catalogue.offer o join sellers.seller s on s.id = o.seller_id
    where o.market = $1 and o.pro_price is not null and o.stock >= 40 and o.status = 'active' and not o.is_sample and o.price between 1000 and 20000
    order by o.id limit 6`,
}
const forgetMail = { name: 'demo.forget-quote-mails', text: `delete from mail.mail where key like 'quote:%'` }
const messages = {
  en: 'We need these for a roof in the new year. What would forty cost us?',
  fr: 'Nous en avons besoin pour un chantier en début d’année. Quel prix pour quarante ?',
} as const

const dateBack = {
  name: 'demo.date-quote',
  text: `update quotes.quote set created_at = created_at - interval '60 days', answer_by = answer_by - interval '60 days',
      answered_at = answered_at - interval '60 days', valid_until = valid_until - interval '60 days', state = 'expired' where id = $1`,
}

/** Three quotes of each demo company: one answered and valid for a month, one that waits for its seller, and one that expired a month ago. */
export async function makeDemoQuotes(pool: Pool, settings: Pick<Settings, 'hosts'>): Promise<void> {
  for (const person of demoPeople) {
    if (person.kind !== 'member' || person.role !== 'admin') continue
    const { market, company } = person
    const { origin } = settings.hosts.site(market, 'b2b')
    const account = { id: person.sub, email: person.email, name: `${person.givenName} ${person.familyName}`, market }
    const principal = {
      kind: 'member' as const,
      ...account,
      role: person.role,
      company: { id: company.id, country: company.country },
    }
    const message = markets[market].language === 'fr' ? messages.fr : messages.en
    const rows = await pool.db.rows<{ id: string }>(someOffers, [market])
    for (const [index, { id: offerId }] of [rows[0], rows[3], rows[5]].filter((row) => row !== undefined).entries()) {
      await asCommand(pool, async ({ db }) => {
        const site = { market, mode: 'b2b' as const, origin, prefersVat: false, session: null, requestId: 'demo', now: new Date(), db, log }
        const scope: Scope = { ...site, principal, emit: () => undefined }
        const requested = await requestQuote(scope, { offerId, quantity: 40, message })
        const quote = requested.ok ? await readQuote(db, requested.quoteId) : undefined
        if (!quote || index === 1) return
        const seller = {
          kind: 'sellerMember' as const,
          id: 'demo',
          email: '',
          name: '',
          sellerId: quote.sellerId,
          roles: [{ role: 'seller' as const, market: null }],
        }
        await answerQuote({ ...scope, principal: seller }, quote.sellerId, quote.id, {
          lines: quote.lines.map(({ offerId: id, listPrice }) => ({ offerId: id, price: Math.floor(listPrice * 0.82) })),
          delivery: 1900,
          validUntil: new Date(Date.now() + 30 * 86_400_000),
          note: '',
        })
        if (index === 2) await db.run(dateBack, [quote.id])
        // The past sends no mails.
        await db.run(forgetMail, [])
      })
    }
  }
}
