import { forgetTalk } from './demo-past-rows.ts'
import { pastTalks, sellerAnswer } from '@purlin/demo/seller-talk.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { log, type Pool, type Scope } from '@purlin/server/foundation/platform/index.ts'
import { writeMessage } from '@purlin/server/after-sale/messages/index.ts'

type Act = <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>

const parts = {
  name: 'demo.parts',
  text: `select s.id, s.seller_id as "sellerId", o.placed_at as "placedAt",
      (select max(m.at) from orders.line_move m where m.seller_order_id = s.id and m.to_state = 'delivered') as "deliveredAt"
    from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id
    where o.owner = $1 and o.state in ('paid', 'shipped', 'delivered', 'closed') order by o.placed_at desc, s.id limit 30`,
}
interface Part {
  id: string
  sellerId: number
  placedAt: Date
  deliveredAt: Date | null
}
/** What buyers write about once they have the goods. */
const topicsOfDelivered: ReadonlySet<string> = new Set(['damage', 'return', 'invoice'])
const dateMessage = {
  name: 'demo.date-message',
  text: `update messages.message m set at = least($2::timestamptz + m.seq * interval '5 hours', now() - interval '10 minutes')
    from messages.conversation c where c.id = m.conversation_id and c.seller_order_id = $1`,
}
const dateConversation = {
  name: 'demo.date-conversation',
  text: `update messages.conversation c set created_at = $2, buyer_read = case when $3 then c.last_seq else 1 end, seller_read = c.last_seq,
      last_at = (select max(at) from messages.message m where m.conversation_id = c.id), answer_due_at = null, remind_at = null
    where c.seller_order_id = $1`,
}

/** Conversations of a demo person with the sellers of their orders; the latest has an answer that they have not read. */
export async function makeDemoTalk(pool: Pool, { market, customerId }: { market: Market; customerId: string }, act: Act): Promise<void> {
  const { language } = markets[market]
  const talks = pastTalks[language] ?? []
  const rows = await pool.db.rows<Part>(parts, [`c:${customerId}`])
  const used = new Set<string>()
  for (const [index, talk] of talks.entries()) {
    const isAboutGoods = topicsOfDelivered.has(talk.topic)
    const part = rows.find((each) => !used.has(each.id) && (!isAboutGoods || each.deliveredAt !== null))
    if (!part) continue
    used.add(part.id)
    const { id, sellerId } = part
    const since = isAboutGoods ? part.deliveredAt : part.placedAt
    const asSeller = (scope: Scope): Scope => {
      const principal = {
        kind: 'sellerMember' as const,
        id: `demo-${sellerId}`,
        email: '',
        name: '',
        sellerId,
        roles: [{ role: 'seller' as const, market: null }],
      }
      return { ...scope, principal }
    }
    const { topic, question, more } = talk
    const first = await act((scope) => writeMessage(scope, 'conversation.write', id, { text: question, topic }))
    if (!first.ok) {
      log.warn({ id, reason: first.reason }, 'a conversation of the past could not be made')
      continue
    }
    await act((scope) => writeMessage(asSeller(scope), 'conversation.serve', id, { text: sellerAnswer(language, topic) }))
    for (const { side, text } of more)
      await act((scope) =>
        side === 'seller'
          ? writeMessage(asSeller(scope), 'conversation.serve', id, { text })
          : writeMessage(scope, 'conversation.write', id, { text }),
      )
    await pool.db.run(dateMessage, [id, since])
    await pool.db.run(dateConversation, [id, since, index > 0])
  }
  await forgetTalk(pool.db)
}
