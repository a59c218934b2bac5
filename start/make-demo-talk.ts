import { forgetTalk } from './demo-past-rows.ts'
import { pastTalks, sellerAnswer } from '@purlin/demo/seller-talk.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { log, type Pool, type Scope } from '@purlin/server/foundation/platform/index.ts'
import { writeMessage } from '@purlin/server/after-sale/messages/index.ts'

type Act = <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>

const parts = {
  name: 'demo.parts',
  text: `select s.id, s.seller_id as "sellerId", o.placed_at as "placedAt" from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id
    where o.owner = $1 and o.state in ('paid', 'shipped', 'delivered', 'closed') order by o.placed_at desc, s.id limit $2`,
}
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
  const rows = await pool.db.rows<{ id: string; sellerId: number; placedAt: Date }>(parts, [`c:${customerId}`, talks.length])
  for (const [index, { id, sellerId, placedAt }] of rows.entries()) {
    const talk = talks[index]
    if (!talk) continue
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
    await pool.db.run(dateMessage, [id, placedAt])
    await pool.db.run(dateConversation, [id, placedAt, index > 0])
  }
  await forgetTalk(pool.db)
}
